import { may, must, type Requirement, should } from './row.ts'

/** How dangerous an operation is. */
export const DNG: readonly Requirement[] = [
  must(
    'DNG-01',
    'There are exactly five ordered levels, `safe` 0, `reversible` 1, `destructive` 2, `dangerous` 3, `forbidden` 4; any other string or number is a load error.',
    'danger 2.1; schema:danger',
  ),
  must(
    'DNG-02',
    'Without a declared level the category decides: READ `safe`, CREATE `reversible`, UPDATE `reversible`, DELETE `destructive`, EXECUTE `reversible`; name patterns may raise each of these.',
    'danger 3.3; R-06',
  ),
  must(
    'DNG-03',
    'An operation with neither declared level nor known category is at least `reversible`, and the `default: reversible` annotation on `danger_level` in the adapter schema never replaces the category default.',
    'danger 7.1; schema:adapter; R-11',
  ),
  must(
    'DNG-04',
    'The `danger` block accepts `level` (required), `reasons` (string array), `confirmation_message` (string), `cooldown_seconds` (integer >= 0), `requires_reauth` (boolean) and `audit_context` (string array), and no other key.',
    'danger 3.2',
  ),
  must(
    'DNG-05',
    'The loader also accepts the bare level string, the flat pair `danger_level` + `requires_confirmation`, and the classification object `{level, reason, requires_confirmation=false, hook_blockable=true}`; `reason` becomes `reasons[0]`, and if two forms disagree the higher level wins and a load warning is recorded.',
    'schema:adapter; schema:danger; R-14',
  ),
  must(
    'DNG-06',
    '`requires_confirmation: true` forces confirmation at every level while `false` or absence never removes a confirmation that the level, matrix or policy demands; `hook_blockable: false` only denies a veto to pre-execution hooks and leaves the gatekeeper untouched.',
    'schema:danger; schema:adapter',
  ),
  should(
    'DNG-07',
    'Names matching `force_*`, `*_permanently`, `bulk_delete*`, `override_*`, `bypass_*`, `*_without_backup` or `purge_*` are raised to at least `dangerous`.',
    'danger 5.1, 6.1',
  ),
  should(
    'DNG-08',
    'Names matching `drop_*`, `delete_all*`, `truncate_*`, `reset_*`, `destroy_*`, `wipe_*` or `*_production` are raised to `forbidden`.',
    'danger 5.1, 6.2',
  ),
  must(
    'DNG-09',
    'Patterns that begin with a word are tested on the whole name and on each remainder after an underscore, and the highest matching level applies, so `force_delete_all` is `forbidden` and not merely `dangerous`.',
    'danger 5.1; R-12',
  ),
  must(
    'DNG-10',
    'The safe patterns `get_*`, `list_*`, `search_*`, `count_*`, `check_*` and `introspect*` confirm `safe` (and switch off DNG-09 remainders) only for READ operations whose `maps_to` method is GET or which have no HTTP mapping; they never lower an operation of another category.',
    'danger 6.3; R-12',
  ),
  must(
    'DNG-11',
    "A declared level above the pattern level always applies; a declared level below it (example `force_sync` as `safe`) applies only if the adapter's effective trust is `validated` or higher or the operator pinned it, otherwise the pattern level stays and a warning is recorded.",
    'danger 5.3; R-15',
  ),
  should(
    'DNG-12',
    'The operator can extend the lists through `danger_patterns.dangerous` and `danger_patterns.forbidden`; entries add to the built-in lists and removing a built-in entry needs an explicit removal setting.',
    'danger 5.1, 7.2',
  ),
  must(
    'DNG-13',
    'Operations of level 2 or higher need a confirmation even where the trust x danger cell says `allow`; level 0 and 1 get no server-side token unless a policy, cell or `requires_confirmation` asks for one.',
    'danger 7.1; R-10',
  ),
  must(
    'DNG-14',
    'Level 3 is unlocked per call only (no session-scoped or multi-use approval) and level 4 is refused unless an approver with the admin role grants it.',
    'danger 2.1, 4.1; R-10',
  ),
  must(
    'DNG-15',
    'A pattern match triggers lockdown in four steps: tag the operation with the inferred level, warn the caller with that level and its reasons, apply the confirmation for that level, and audit the attempt whatever its outcome.',
    'danger 5.2 (up: SHOULD)',
  ),
  must(
    'DNG-16',
    "A refused cell returns `PERMISSION_DANGER_LEVEL_DENIED` with details `operation`, `danger_level` (name), `adapter_trust`, `minimum_trust_required` (first column of the row that is `confirm` or `allow`) and `reasons`, and a message of the form \"Operation 'x' (danger: y) denied for adapter trust level 'z'\".",
    'danger 4.4; errors 5.3',
  ),
  must(
    'DNG-17',
    '`{param}` placeholders in `confirmation_message` are filled from the resolved parameters with control, bidirectional, invisible and newline characters shown as visible escapes (two different values never look equal), secrets masked and each value cut to 200 characters with a visible mark; unknown placeholders stay literal.',
    'danger 3.2; R-32',
  ),
  must(
    'DNG-18',
    'With `cooldown_seconds` = n, redeeming an approved token earlier than n seconds after the approval returns `CONFIRMATION_REQUIRED` with `details.cooldown_remaining_seconds` and does not consume the token; a cooldown not shorter than the token lifetime is a load error.',
    'danger 3.2, 7.3; R-32 (up: MAY)',
  ),
  must(
    'DNG-19',
    'With `requires_reauth: true` only an approval whose approver authenticated again after the token was issued counts; if no configured channel can re-authenticate, the operation is refused and the error says so.',
    'danger 3.2, 7.3; R-32 (up: MAY)',
  ),
  must(
    'DNG-20',
    'Introspection exposes the danger data of every operation (`_protocol.danger` map in the operations list and extension query `danger` with `name`), and `_protocol.capabilities` sets `dangerous_operations: true` and `confirmation: true`.',
    'danger 3.4, 7.1; R-16',
  ),
  must(
    'DNG-21',
    "The baseline risk score of a known operation lies in its level's range: `safe` 0-15, `reversible` 16-40, `destructive` 41-60, `dangerous` 61-85, `forbidden` 86-100; context may raise it and never lowers it.",
    'danger 8.1',
  ),
  may(
    'DNG-22',
    'Repetition (for example 50 sequential deletions), pattern matches or cumulative risk raise the tier for one evaluation without changing the declared level.',
    'danger 8.3',
    {
      status: 'waived',
      reason:
        'a MAY: each deletion asks a human by itself, so fifty are fifty questions, held back by SELF-13 and ended by three denials; reports are held by the step limit of AUTO-03',
    },
  ),
  must(
    'DNG-23',
    'The not yet specified keys `default_level`, `conditions`, `approval`, `escalation`, `score_factors` and `computed_level` inside `danger` are load errors, because silently ignoring them would under-classify.',
    'danger 9; R-14',
  ),
]
