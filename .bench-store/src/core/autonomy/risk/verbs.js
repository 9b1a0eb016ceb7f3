import { words } from "./options.js";
/** What the verbs of command lines, tool names and paths of interfaces have in common. */
export const VERB_KINDS = Object.freeze({
    read: { score: 12, why: 'reads' },
    run: { score: 26, why: 'builds, tests or checks' },
    create: { score: 30, why: 'adds or starts something' },
    change: { score: 48, why: 'changes something that exists' },
    stop: { score: 62, why: 'stops, disables or reverts something in use' },
    destroy: { score: 72, why: 'deletes or ends something' },
});
export function verbTable(rows) {
    return new Map(Object.entries(rows).flatMap(([kind, text]) => words(text).map((verb) => [verb, kind])));
}
export const VERBS = verbTable({
    read: `get list ls describe show view status info version help cat search find inspect logs log ps top diff plan validate check
    lint explain history whoami query scan head read fetch tail events doctor print dump stats stat summary count tree select
    locate lookup browse compare preview peek ping health export download exists test verify audit outdated why usage account display
    dir receive watch wait poll snapshots versions metrics trace graph output outputs render template completion
    capabilities simulate consume console whoami me who listremotes hashsum cryptcheck health environment extract
    export-tar estimate monitor report current discover resolve retrieve details filter parse`,
    run: 'build compile bench package pack fmt synth pull clone checkout dev serve renew',
    create: `create add new init register issue upload import copy cp clone subscribe enable start resume make post insert invite
    tag label annotate comment open append save launch provision backup mkdir mb touch request schedule attach connect join
    login authenticate expose forward proxy send publish write produce emit submit install up assign mount record store declare`,
    change: `update set put patch edit modify apply deploy replace restore scale resize move mv rename upgrade configure config promote
    restart reload rollout sync merge migrate push change alter transfer convert lock unlock close archive finish
    complete approve grant allow switch adjust refresh trigger invoke exec execute run call process tune rebase rebuild import-key
    release bump override`,
    stop: `stop disable suspend pause cancel detach abort drain cordon evict rollback revert undo unset untag unassign unmount
    deactivate demote taint reject ban block mute quiesce freeze downgrade rotate reboot failover seal hibernate rotate-keys
    fail halt scale-down deallocate unlist recreate seek`,
    destroy: `delete del rm remove cleanup rmi rb rmdir destroy drop purge prune wipe erase flush truncate terminate uninstall unregister
    deregister revoke reset nuke expire forget clear clean empty kill unlink unsubscribe unpublish decommission shutdown obliterate
    disassociate withdraw discard scrub shred evaporate deprovision flushall flushdb zap teardown down force-unlock overwrite
    bulkdelete undeploy eject vacate dropdb format-volume trash revoke-all reap trim leave yank deletion removal termination`,
});
/** Words that only say how: the verb is the next one. */
const NEUTRAL = new Set(words('batch bulk admin force do async begin bg try safe hard soft mass multi quick api'));
/** Things whose change moves rights or secrets. */
const SENSITIVE = new Set(words(`secret secrets key keys iam policy policies role roles acl acls token tokens password passwords passwd credential credentials
    permission permissions user users grant grants rbac rolebinding clusterrolebinding kms certificate sso mfa firewall lifecycle retention versioning route53 dns`));
/** The parts of `delete_user`, `batchDeleteItems`, `purge-queue`, `github.deleteRepo`, in lower case. */
export function partsOf(name) {
    return name
        .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
        .toLowerCase()
        .split(/[^a-z\d]+/)
        .filter((part) => part !== '');
}
/** The kind of the word's verb: the first part that says one. */
export function verbKind(word, own = VERBS) {
    const whole = word.toLowerCase();
    const exact = own.get(whole) ?? VERBS.get(whole);
    if (exact)
        return exact;
    const parts = partsOf(word);
    if (parts.includes('deletion') || parts.includes('removal') || parts.includes('termination'))
        return 'destroy';
    // `db:migrate:reset`: what stands last is done.
    const last = whole.includes(':') ? parts.at(-1) : undefined;
    if (last !== undefined && (own.has(last) || VERBS.has(last)))
        return own.get(last) ?? VERBS.get(last);
    const undone = whole.startsWith('un') ? VERBS.get(whole.slice(2)) : undefined;
    if (undone)
        return undone === 'destroy' || undone === 'stop' ? 'change' : 'stop';
    for (const part of parts) {
        const kind = own.get(part) ?? VERBS.get(part);
        if (kind)
            return kind;
        if (!NEUTRAL.has(part))
            break;
    }
    return gravest(parts.map((part) => own.get(part) ?? VERBS.get(part)));
}
/** `cluster_status`, `queue-delete`: a name whose verb stands last. */
function gravest(kinds) {
    return kinds.reduce((worst, kind) => (kind && (!worst || VERB_KINDS[kind].score > VERB_KINDS[worst].score) ? kind : worst), undefined);
}
/** What the verb is worth on things with these names. */
export function verbFinding(kind, verb, nouns) {
    const { score, why } = VERB_KINDS[kind];
    const sensitive = [verb, ...nouns].flatMap(partsOf).find((part) => SENSITIVE.has(part));
    if (sensitive === undefined || (kind !== 'change' && kind !== 'create'))
        return { score, why: `${verb}: ${why}` };
    return { score: kind === 'change' ? 63 : 48, why: `${verb}: ${why}, and ${sensitive} moves rights or secrets` };
}
