import type { TrustLevel, ValidationReport } from '../../protocol/trust.ts'
import { type Certificate, isInForce } from './certificate.ts'
import type { Review } from './trust-record.ts'

/** What a promotion rests on; which parts are needed depends on the level (TRUST-04 to TRUST-07). */
export interface Evidence {
  /** The content that was looked at. Evidence about other content proves nothing. */
  readonly hash: string
  readonly structure?: Structure
  readonly run?: HarnessRun
  readonly review?: ReviewState
  readonly certificate?: Certificate
}

/** TRUST-04. */
export interface Structure {
  readonly parses: boolean
  /** Of `name`, `type`, `version` and `description`, those that are present. */
  readonly present: readonly string[]
  readonly targetIsValid: boolean
  readonly operationsAreValid: boolean
}

/** TRUST-05: one run of the harness against the live API. */
export interface HarnessRun {
  readonly isLive: boolean
  readonly at: string
  readonly reads: Tally
  /** The CREATE and UPDATE operations that were chosen to stand for all. */
  readonly writes: Tally
  /** True when the errors that the documentation names appeared as it says. */
  readonly documentedErrorsAppeared: boolean
  readonly validation_report?: ValidationReport
  readonly api_version?: string
}

/** Of `offered` operations, `tried` were called and `passed` did what they should. */
export interface Tally {
  readonly offered: number
  readonly tried: number
  readonly passed: number
}

/** TRUST-06. */
export interface ReviewState {
  readonly reviews: readonly Review[]
  readonly openSecurityConcerns: number
  readonly documentationChecked: boolean
}

export interface EvidenceTerms {
  readonly now: number
  /** TRUST-06: how many must have approved. */
  readonly reviewers: number
}

/** What is missing for the level; undefined when nothing is. */
export function missingEvidence(to: TrustLevel, evidence: Evidence, terms: EvidenceTerms): string | undefined {
  return DEMANDS.find((demand) => demand.for === to && !demand.met(evidence, terms))?.missing
}

/** TRUST-06: one person is one reviewer, and the last word of each counts. */
export function approvals(reviews: readonly Review[]): number {
  const words = new Map(
    reviews.map(({ reviewer, approved }) => [reviewer.normalize('NFKC').trim().toLowerCase(), approved]),
  )
  words.delete('')
  return [...words.values()].filter(Boolean).length
}

interface Demand {
  readonly for: TrustLevel
  readonly met: (evidence: Evidence, terms: EvidenceTerms) => boolean
  readonly missing: string
}

const PRESENT = ['name', 'type', 'version', 'description']

const DEMANDS: readonly Demand[] = [
  { for: 'generated', met: ({ structure }) => structure?.parses === true, missing: 'the definition must parse' },
  {
    for: 'generated',
    met: ({ structure }) => PRESENT.every((key) => structure?.present.includes(key)),
    missing: `the definition must have ${PRESENT.join(', ')}`,
  },
  { for: 'generated', met: ({ structure }) => structure?.targetIsValid === true, missing: 'the target must be valid' },
  {
    for: 'generated',
    met: ({ structure }) => structure?.operationsAreValid === true,
    missing: 'every operation must be valid',
  },
  { for: 'validated', met: ({ run }) => run?.isLive === true, missing: 'a harness run against the live API is needed' },
  {
    for: 'validated',
    met: ({ run }) => run !== undefined && run.reads.passed >= run.reads.offered,
    missing: 'all read operations must have succeeded in the run',
  },
  {
    for: 'validated',
    met: ({ run }) => run !== undefined && isRepresentative(run.writes),
    missing: 'a representative set of create and update operations must have succeeded in the run',
  },
  {
    for: 'validated',
    met: ({ run }) => run?.documentedErrorsAppeared === true,
    missing: 'the documented errors must have appeared in the run',
  },
  {
    for: 'validated',
    met: ({ run }) => hasResults(run?.validation_report),
    missing: 'the run must leave a validation_report with tests_passed and tests_total',
  },
  {
    for: 'community_reviewed',
    met: ({ review }, { reviewers }) => review !== undefined && approvals(review.reviews) >= reviewers,
    missing: 'more reviewers must approve',
  },
  {
    for: 'community_reviewed',
    met: ({ review }) => review?.openSecurityConcerns === 0,
    missing: 'no security concern may be open',
  },
  {
    for: 'community_reviewed',
    met: ({ review }) => review?.documentationChecked === true,
    missing: 'the documentation must be checked',
  },
  {
    for: 'certified',
    met: ({ certificate }, { now }) => certificate !== undefined && isInForce(certificate, now),
    missing: 'a verified certificate in force is needed',
  },
]

/** Where there is something to try, something was tried, and none of it failed. */
function isRepresentative({ offered, tried, passed }: Tally): boolean {
  return offered === 0 || (tried > 0 && passed >= tried)
}

function hasResults(report: ValidationReport | undefined): boolean {
  const { tests_passed = 0, tests_total = 0 } = report ?? {}
  return tests_total > 0 && tests_passed <= tests_total && tests_passed > 0
}
