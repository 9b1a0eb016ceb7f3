import type { SemanticCategory } from '../../protocol/categories.ts'

/**
 * General English of programming interfaces, for the search of operations. Every table is a `Map` or a `Set`: words
 * such as `constructor` occur in real catalogues and must not find what an object inherits.
 */

/** The categories that each imperative may ask for; built from the lists by category below. */
export const VERBS: ReadonlyMap<string, readonly SemanticCategory[]> = byVerb({
  DELETE: words(`
    archive ban banish bin cancel clear cut delete deny deregister destroy detach disable discard disconnect dismiss
    drop dump eliminate empty erase evict expel expire forget kick kill leave nuke obliterate oust prune purge
    reject remove retract revoke scrub sever shred strike strip throw trash unassign unban unblock undo unfollow
    uninstall unlink unlock unmute unpin unregister unshare unstar unsubscribe void wipe withdraw
  `),
  EXECUTE: words(`
    accept apply approve authenticate authorize boot bring broadcast cancel capture catch clone confirm convert
    crosspost decline deploy dispatch enqueue execute export finalize fire flush fold import invoke kick kill launch
    merge migrate nudge pause pay ping play poke process publish pull push reboot rebuild recalculate redeliver
    refund regenerate reject release reload remind render replay request requeue rerun resend restart resume retry
    revert roll rollback run scan send ship shut shutdown simulate skip spin start stop submit suspend sync
    synchronize test transfer trigger validate void wake
  `),
  UPDATE: words(`
    adjust allow alter amend archive assign block bring bump change close complete configure convert correct cut
    decrease delay demote deny disable downgrade edit enable extend fill finish fix flip freeze give hand hide
    increase let limit lock lower mark merge modify move mute patch permit pin postpone prioritize promote put raise
    reassign redirect refresh relax rename renew reopen reorder replace reply reschedule reset resize resolve
    restore restrict revise rotate save set shift shorten snooze sort swap switch sync tighten toggle transfer turn
    tweak unarchive unblock unfreeze unlock unmute unpin update upgrade
  `),
  CREATE: words(`
    add allow answer append attach book bookmark broadcast build clone comment connect copy create draft duplicate
    enroll establish follow fork forward generate give grant hire hook import insert install introduce invite issue
    leave like link log make new note notify onboard open permit pin ping pipe place plan post provision publish put
    react record register relay remind reply reserve save schedule send set share spawn star start submit subscribe
    tell tie upload vote write
  `),
  READ: words(`
    analyse analyze browse calculate check compare count describe determine display download examine explore export
    fetch find get grep identify inspect list locate look lookup monitor open peek preview query read recommend
    report retrieve review search see show suggest summarise summarize tell track verify view watch
  `),
})

/** A verb with its particle, and what is searched for instead. The verb may be inflected. */
export const PHRASAL_VERBS: readonly PhrasalVerb[] = phrasalVerbs(`
  kick off=start, fire off=trigger, set off=trigger, shut down=stop, power off=stop, spin up=start create, bring
  up=start, boot up=start, tear down=delete, take down=delete, get rid of=delete, throw away=delete, throw
  out=delete, clean up=delete, clear out=delete, wipe out=delete, do away with=delete, take away=remove, take
  off=remove, cut off=revoke, kick out=remove, let go=remove, call off=cancel, set up=create, put up=create, sign
  up=register, write up=create, turn off=disable, switch off=disable, turn on=enable, switch on=enable, turn
  down=lower decrease, turn up=raise increase, roll back=revert restore, bring back=restore, hand over=transfer,
  give back=return refund, pay back=refund, look up=find, look for=find, find out=find, check out=checkout, log
  in=login, log out=logout, sign in=login, opt out=unsubscribe, carry on=resume, carry out=execute, point to=set,
  swap out=replace, fill in=update, mark as=mark, up to date=update
`)

/** The same with words between verb and particle: "throw user 9 out". */
export const SEPARABLE_VERBS: readonly PhrasalVerb[] = phrasalVerbs(`
  take…out=remove, take…off=remove, take…away=remove, take…down=delete, throw…out=remove, throw…away=delete,
  kick…out=remove, bring…back=restore, put…back=restore, roll…back=revert, turn…off=disable, turn…on=enable,
  switch…off=disable, switch…on=enable, shut…down=stop, set…up=create, spin…up=start, hand…over=transfer,
  call…off=cancel, catch…up=sync, turn…down=lower, turn…up=raise, tear…down=delete, cut…off=revoke, let…in=add,
  push…out=publish, send…out=send, get…back=restore
`)

/** What may stand between a verb and its particle in any case: "turn it off". */
export const OBJECT_WORDS: ReadonlySet<string> = new Set(
  words('it the this that them these those my our your his her its their him me us everything all'),
)

/** Short forms and their long ones, on the side of the catalogue and of the question alike. */
export const ABBREVIATIONS: ReadonlyMap<string, readonly string[]> = abbreviations(`
  repo=repository, repos=repositories, org=organization, orgs=organizations, organisation=organization,
  organisations=organizations, pr=pull request, prs=pull requests, mr=merge request, auth=authentication,
  authn=authentication, authz=authorization, config=configuration, configs=configurations, env=environment,
  envs=environments, dev=development, prod=production, db=database, dbs=databases, img=image, pic=picture,
  pics=pictures, msg=message, msgs=messages, dm=direct message, dms=direct messages, acct=account, info=information,
  app=application, apps=applications, admin=administrator, admins=administrators, var=variable, vars=variables,
  dir=directory, doc=document, docs=documents, lang=language, num=number, qty=quantity, addr=address,
  temp=temperature, sub=subscription, subs=subscriptions, txn=transaction, tx=transaction, perm=permission,
  perms=permissions, fav=favorite, favs=favorites, stats=statistics, stat=statistic, vm=virtual machine, lb=load
  balancer, k8s=kubernetes, cert=certificate, certs=certificates, sms=text message, 2fa=two factor authentication,
  mfa=multi factor authentication, sso=single sign on, ci=continuous integration, vuln=vulnerability,
  vulns=vulnerabilities, lat=latitude, lon=longitude, lng=longitude, tv=television, favourite=favorite,
  colour=color, licence=license, licences=licenses, cancelled=canceled
`)

/** Words that may stand for one another. A word's synonyms are those of its own groups; they do not chain. */
export const SYNONYM_GROUPS: readonly (readonly string[])[] = synonymGroups(`
  repo repository repos repositories | org organization organisation | pull mr | hook webhook | member collaborator
  participant | user account person people profile | picture pic image photo thumbnail avatar poster cover logo icon | price cost fee
  amount | pay payment charge | customer client buyer shopper | bill invoice | sub subscription subscribe | coupon
  discount promo promotion voucher | refund reimburse chargeback | product item goods article | purchase buy order
  checkout | message msg chat text | channel room conversation | group team | folder directory dir | file document
  attachment asset | comment reply remark | label tag | pipeline workflow ci | log logs trace | config configuration
  setting settings preference | env environment | variable var | param parameter | secret credential password token
  key | permission access role privilege right | admin administrator owner | notification alert inbox | email mail |
  phone telephone mobile sms | address location place | lat latitude | lon lng longitude | city town | country
  nation | weather forecast climate temperature | movie film | song track music | show series tv | artist singer
  musician band performer | playlist mixtape | team club squad | player athlete | news headline article | stock
  share equity ticker | crypto cryptocurrency coin bitcoin | currency money forex | rate exchange | convert
  conversion converter translate | language locale | synonym thesaurus | define definition meaning | quote saying |
  recipe dish meal | ingredient food | restaurant diner | hotel lodging accommodation | flight airline | airport
  airfield | car vehicle | property estate house home listing | domain dns hostname | url link website webpage site
  web | qr barcode | shorten shortener short | validate verify check validation verification | stat stats statistic
  statistics metric analytics | summary overview plot synopsis | latest recent newest | type kind | genre category | limit quota |
  machine vm | top popular trending best chart | similar related like recommendation | schedule calendar appointment
  event | version release | branch ref | commit revision sha | merge combine fold | diff compare comparison change |
  package module library dependency | container instance | volume disk storage | image snapshot | build compile |
  deploy deployment rollout | review feedback rating | star favorite favourite bookmark like | follow subscribe
  watch | block ban | mute silence | invite invitation | join enter | leave quit | lock freeze | archive backup
  export | license licence | vulnerability cve advisory security | usage consumption | spend spending budget | owner
  holder | due deadline | close resolve finish complete | start begin launch trigger | stop halt end terminate shut
  | pause suspend | resume continue | restart reboot | run execute execution | cancel abort | error failure fault |
  ticket issue bug | project board | milestone goal | sprint iteration | reaction emoji | topic subject theme |
  remove delete | update edit modify | add create insert | find search lookup | upload import | download export |
  stop cancel | copy duplicate clone fork | public visible | private hidden | draft unpublished | template
  boilerplate | plan tier | seat license | balance fund | payout withdrawal | bank account | card credit debit | tax
  vat | shipping delivery shipment parcel package | zip postal postcode | student pupil | teacher instructor |
  course class lesson | job vacancy position | salary wage | company business firm corporation organization | goal
  objective target | comment note | share collaborate collaboration | server guild | activity event history |
  chargeback dispute | transfer payout | merchant seller vendor | unpaid overdue outstanding | funds balance money |
  receipt proof | membership subscription | renew renewal extend | node host machine | cluster swarm | command exec
  | output log stdout | process ps | prune cleanup unused dangling | inspect detail | thaw unpause resume | plugin
  extension addon | memory cpu stats | presence online away | purpose topic | reminder remind | snooze dnd | approve
  approval accept | reject decline deny | reviewer approver | assignee responsible | runner worker agent | artifact
  output | mirror replica | keyword topic | watcher follower subscriber | contributor author committer | patch diff
  | snippet gist paste | discussion forum | leak exposed secret | enable activate | disable deactivate | expiry
  expiration expire | rotate regenerate | login signin session | logout signout | cap limit | throttle rate |
  backlog queue | cron schedule | audit history | visibility public | attribute property field metadata | bulk batch
  | trash deleted bin recycle | restore undelete recover | relocate move | attach associate link connect | detach unlink | order
  priority rank | vault secret | avatar picture | handle username login | slug name | digest hash checksum sha |
  endpoint url | zip archive tarball | traffic visit view | bot app integration | rule policy | quota allowance |
  guideline policy | signature sign | status state | cart basket | reply
  answer response | task todo | cast actor actress | crew director direct producer | video trailer clip | theatre
  theater cinema | duration runtime length | vote poll survey | greeting welcome | holiday vacation absence | shop
  store | dependency prerequisite | estimate quote proposal | author writer | staff employee colleague
`)

/** Question words, and the terms of what is asked for: they are stop words otherwise. */
export const ANSWERS: ReadonlyMap<string, readonly string[]> = new Map([
  ['who', ['member']],
  ['whom', ['member']],
  ['whose', ['member']],
  ['many', ['count']],
])

/** Written with a capital, but names of no thing. */
export const CALENDAR_WORDS: ReadonlySet<string> = new Set(
  words(`
    monday tuesday wednesday thursday friday saturday sunday january february march april may june july august
    september october november december christmas easter
  `),
)

/** Words that say nothing about which operation is meant. Not among them: next, first, currently, new, list. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  words(`
    a an the this that these those some any each every all both either neither no none nor not only own same such
    i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his himself she her hers
    herself it its itself they them their theirs themselves one ones someone somebody anyone anybody everyone everybody
    something anything everything nothing who whom whose which what when where why how
    am is are was were be been being do does did doing done have has had having can could may might must shall should
    will would ought cannot dont doesnt didnt isnt arent wasnt werent cant couldnt wont wouldnt shouldnt ive im id
    about above across after against along among around as at before behind below beneath beside besides between beyond
    by despite down during except for from in inside into near of off on onto out outside over past per since through
    throughout till to toward towards under until up upon via with within without
    and or but if then else because so than though although while whereas whether unless yet too also just very really
    quite rather almost already always never ever often again still even here there now once more most much many few
    less least lot lots other others another further well instead actually maybe perhaps etc eg ie
    get gets getting got fetch fetches fetching retrieve retrieves retrieving show showing give gives giving
    given provide provides provided providing return returns returned returning please help helps want wants wanted
    need needs needed like use uses used using let lets thank thanks hi hello hey ok okay yes able along go going
  `),
)

export interface PhrasalVerb {
  readonly verb: string
  readonly particles: readonly string[]
  readonly meaning: readonly string[]
}

function words(text: string): string[] {
  return text.trim().split(/\s+/)
}

function byVerb(lists: Readonly<Record<SemanticCategory, readonly string[]>>) {
  const verbs = new Map<string, SemanticCategory[]>()
  for (const category of Object.keys(lists) as SemanticCategory[]) {
    for (const verb of lists[category]) verbs.set(verb, [...(verbs.get(verb) ?? []), category])
  }
  return verbs
}

function phrasalVerbs(rows: string): PhrasalVerb[] {
  return pairs(rows).map(([phrase, meaning]) => {
    const [verb = '', ...particles] = phrase.split(/[\s…]+/)
    return { verb, particles, meaning: words(meaning) }
  })
}

function abbreviations(rows: string): Map<string, readonly string[]> {
  return new Map(pairs(rows).map(([short, long]) => [short, words(long)]))
}

function pairs(rows: string): [string, string][] {
  return rows.split(',').map((row) => {
    const [left = '', right = ''] = row.split('=')
    return [left.trim(), right.trim()]
  })
}

function synonymGroups(rows: string): string[][] {
  return rows.split('|').map(words)
}
