/**
 * Questions in everyday words about APIs whose documents are among the test data, written from the documents before
 * the ranking was read: goals, synonyms and turns of phrase rather than the words of the document. `=` stands between
 * operations of which each is right, `+` between steps that are all needed. The ranking was changed after looking at
 * every second one of them.
 */
export const EVERYDAY_QUESTIONS: Readonly<Record<string, string>> = {
  'slack-swagger2.json.gz': `
tell everyone in #launches that v2 is out | POST /chat.postMessage
fix the typo in what our bot just wrote in #general | POST /chat.update
take back the post the bot made this morning | POST /chat.delete
send "standup in 5" to #team tomorrow at 9 | POST /chat.scheduleMessage
which of our posts are still waiting to go out later? | GET /chat.scheduledMessages.list
call off the announcement queued for Friday | POST /chat.deleteScheduledMessage
whisper a note that only Ana can see inside #support | POST /chat.postEphemeral
give me a URL that leads straight to that message | GET /chat.getPermalink
what has been said in #incidents since yesterday | GET /conversations.history
show me all answers under this message | GET /conversations.replies
make a new room called proj-apollo | POST /conversations.create = POST /admin.conversations.create
bring Tom and Li into #proj-apollo | POST /conversations.invite
throw Bob out of #finance | POST /conversations.kick
who is in #design? | GET /conversations.members
we are done with #old-project, put it away | POST /conversations.archive = POST /admin.conversations.archive
bring the mothballed channel back to life | POST /conversations.unarchive = POST /admin.conversations.unarchive
change the headline shown at the top of #ops to "on call: Mia" | POST /conversations.setTopic
start a private chat with two colleagues | POST /conversations.open
find the account of ana@example.com | GET /users.lookupByEmail
is Priya online right now? | GET /users.getPresence
don't bother me for the next hour | POST /dnd.setSnooze
has Kim switched notifications off at the moment? | GET /dnd.info
give that post a thumbs up | POST /reactions.add
take my thumbs up off the message again | POST /reactions.remove
remind me to water the plants on Monday | POST /reminders.add
tick off the reminder about the invoices | POST /reminders.complete
look for every mention of "outage" across the workspace | GET /search.messages
put this document into #legal so that all can read it | POST /files.upload
stop the outside world from opening that file | POST /files.revokePublicURL
let people without an account open this file via a link | POST /files.sharedPublicURL
set my status to "on holiday" with a palm tree | POST /users.profile.set
who logged in to our workspace and from which IP | GET /team.accessLogs
make Dana a workspace administrator | POST /admin.users.setAdmin
sign Joe out everywhere, his laptop was stolen | POST /admin.users.session.reset
give the contractor's account an end date | POST /admin.users.setExpiration
turn #strategy from open to invite-only | POST /admin.conversations.convertToPrivate
who belongs to the @oncall handle? | GET /usergroups.users.list
turn down the request to invite Max to the workspace | POST /admin.inviteRequests.deny
bookmark this message for myself | POST /stars.add
what is pinned in #general | GET /pins.list
is this token still good, and whose is it? | GET /auth.test
find Lee by his mail address and write him a direct message | GET /users.lookupByEmail + POST /conversations.open + POST /chat.postMessage
upload the report to #sales and pin it there | POST /files.upload + POST /pins.add
create a channel for the offsite, invite the team and set its purpose | POST /conversations.create + POST /conversations.invite + POST /conversations.setPurpose
look for the message about the budget and reply to it in its thread | GET /search.messages + POST /chat.postMessage
list the pinned items of #help and unpin the oldest | GET /pins.list + POST /pins.remove
which channels is Sam in, and who else is a member of the first one? | GET /users.conversations + GET /conversations.members
approve the pending app request for the calendar tool | GET /admin.apps.requests.list + POST /admin.apps.approve
`,
  'asana.yaml.gz': `
add "order cables" to my to-dos | POST /tasks
mark the job "paint fence" as done | PUT /tasks/{task_gid}
what is left to do in the website project | GET /projects/{project_gid}/tasks
find all overdue work assigned to Carla | GET /workspaces/{workspace_gid}/tasks/search
break this item down into a smaller piece | POST /tasks/{task_gid}/subtasks
which smaller items hang under this one? | GET /tasks/{task_gid}/subtasks
leave a comment on the ticket | POST /tasks/{task_gid}/stories
read the discussion on this task | GET /tasks/{task_gid}/stories
this one can only start after the design is finished: note that | POST /tasks/{task_gid}/addDependencies
what is this task waiting for? | GET /tasks/{task_gid}/dependencies
what would be held up if this task slips? | GET /tasks/{task_gid}/dependents
make a copy of the onboarding project for the new hire | POST /projects/{project_gid}/duplicate
keep this project's set-up so that we can reuse it | POST /projects/{project_gid}/saveAsTemplate
start a new project from our launch template | POST /project_templates/{project_template_gid}/instantiateProject
how many open and finished tasks does the project have? | GET /projects/{project_gid}/task_counts
add a column "Blocked" to the board | POST /projects/{project_gid}/sections
drop the task into the "Doing" column | POST /sections/{section_gid}/addTask
rename the column from Later to Someday | PUT /sections/{section_gid}
change the order of the columns on the board | POST /projects/{project_gid}/sections/insert
report that the project is at risk this week | POST /status_updates = POST /projects/{project_gid}/project_statuses
label the task "urgent" | POST /tasks/{task_gid}/addTag
everything labelled "urgent" | GET /tags/{tag_gid}/tasks
put Mia in the marketing group | POST /teams/{team_gid}/addUser
Jon has left the company: take him out of the organization | POST /workspaces/{workspace_gid}/removeUser
who works in the design team? | GET /teams/{team_gid}/users
keep Rosa informed of changes to this task | POST /tasks/{task_gid}/addFollowers
let Rosa and Tim work on the project | POST /projects/{project_gid}/addMembers = POST /memberships
book two hours on this task for today | POST /tasks/{task_gid}/time_tracking_entries
how much time was spent on this task | GET /tasks/{task_gid}/time_tracking_entries
attach the contract to the task | POST /attachments
I am on holiday from 1 to 14 August | POST /ooo_entries
call our server whenever something in the project changes | POST /webhooks
which hooks do we have set up? | GET /webhooks
set the progress of the revenue goal to 75 percent | POST /goals/{goal_gid}/setMetricCurrentValue
which larger objective does this goal contribute to | GET /goals/{goal_gid}/parentGoals
a dropdown for "Severity" that all projects can use | POST /custom_fields
one more choice, "Critical", in the severity dropdown | POST /custom_fields/{custom_field_gid}/enum_options
who did what in our organization last week, for the security review | GET /workspaces/{workspace_gid}/audit_log_events
download everything our organization has | POST /organization_exports
get rid of the file attached to this task | DELETE /attachments/{attachment_gid}
throw the whole project away | DELETE /projects/{project_gid}
turn this task into a child of another one | POST /tasks/{task_gid}/setParent
find the section "Done" of the project and list what is in it | GET /projects/{project_gid}/sections + GET /sections/{section_gid}/tasks
create a tag "legal" and put it on the contract task | POST /tags + POST /tasks/{task_gid}/addTag
which teams am I in, and what projects do they have? | GET /users/{user_gid}/teams + GET /teams/{team_gid}/projects
make a portfolio for Q3 and add the two launch projects | POST /portfolios + POST /portfolios/{portfolio_gid}/addItem
create a team and add Ben to it | POST /teams + POST /teams/{team_gid}/addUser
copy the task and move the copy into the Backlog section | POST /tasks/{task_gid}/duplicate + POST /sections/{section_gid}/addTask
`,
  'stripe-2023-09-12.json.gz': `
give Mrs Jones her money back for yesterday's order | POST /v1/refunds = POST /v1/charges/{charge}/refunds = POST /v1/charges/{charge}/refund
how much money do we have in our account at the moment? | GET /v1/balance
move what we earned to our bank | POST /v1/payouts
stop Peter's monthly plan right now | DELETE /v1/subscriptions/{subscription_exposed_id} = DELETE /v1/customers/{customer}/subscriptions/{subscription_exposed_id}
sign Anna up for the pro tier | POST /v1/subscriptions = POST /v1/customers/{customer}/subscriptions
un-pause Anna's membership | POST /v1/subscriptions/{subscription}/resume
20% off for new buyers: set up the voucher | POST /v1/coupons
make SUMMER24 a code that people can type in at the till | POST /v1/promotion_codes
register a new buyer with her mail address | POST /v1/customers
look up the buyer with mail ben@example.com | GET /v1/customers/search = GET /v1/customers
wipe all we hold about this buyer | DELETE /v1/customers/{customer}
change the shipping address of a customer | POST /v1/customers/{customer}
which cards has this customer saved | GET /v1/customers/{customer}/payment_methods = GET /v1/customers/{customer}/cards
forget the saved card of this client | POST /v1/payment_methods/{payment_method}/detach = DELETE /v1/customers/{customer}/cards/{id} = DELETE /v1/customers/{customer}/sources/{id}
a page where the shopper can pay for her basket | POST /v1/checkout/sessions
a URL I can paste into an email so that people can buy the T-shirt | POST /v1/payment_links
bill the client 300 euros for consulting: begin the draft | POST /v1/invoices
mail the bill to the client | POST /v1/invoices/{invoice}/send
the client will never pay this bill, write it off | POST /v1/invoices/{invoice}/mark_uncollectible
what will Karl be billed next month? | GET /v1/invoices/upcoming
the customer complained to his bank about a charge: hand in our proof | POST /v1/disputes/{dispute}
give up on the chargeback | POST /v1/disputes/{dispute}/close
list the chargebacks of this month | GET /v1/disputes
collect the amount that we only reserved on the card last week | POST /v1/payment_intents/{intent}/capture = POST /v1/charges/{charge}/capture
call off a payment that has not gone through yet | POST /v1/payment_intents/{intent}/cancel
put a new item "Mug" into the catalogue | POST /v1/products
the mug now costs 12 dollars: add that amount | POST /v1/prices
what VAT is due on this basket for a buyer in Berlin? | POST /v1/tax/calculations
note the customer's VAT number | POST /v1/customers/{customer}/tax_ids
let our customers manage their own plan and cards in a hosted page | POST /v1/billing_portal/sessions
tell our server about every successful payment | POST /v1/webhook_endpoints
check someone's passport before they may sell | POST /v1/identity/verification_sessions
which payments look like fraud according to the card networks? | GET /v1/radar/early_fraud_warnings
hand the client a price proposal as a PDF | GET /v1/quotes/{quote}/pdf
the client said yes to the offer | POST /v1/quotes/{quote}/accept
send the seller's share of the sale to his account | POST /v1/transfers
onboard a new seller on our marketplace | POST /v1/accounts = POST /v1/account_links
report that the client used 500 API calls today | POST /v1/subscription_items/{subscription_item}/usage_records
freeze the company card that Eve lost | POST /v1/issuing/cards/{card}
turn down a purchase on one of our employees' cards | POST /v1/issuing/authorizations/{authorization}/decline
show the total on the card machine at the counter | POST /v1/terminal/readers/{reader}/set_reader_display
rates between dollar and yen | GET /v1/exchange_rates/{rate_id} = GET /v1/exchange_rates
find the customer and list her invoices | GET /v1/customers/search + GET /v1/invoices
create a product and give it a monthly price | POST /v1/products + POST /v1/prices
make a draft invoice, add a line for travel costs and finalize it | POST /v1/invoices + POST /v1/invoiceitems + POST /v1/invoices/{invoice}/finalize
create a coupon and a promotion code for it | POST /v1/coupons + POST /v1/promotion_codes
attach a payment method to a customer and make a subscription for her | POST /v1/payment_methods/{payment_method}/attach + POST /v1/subscriptions
remove the discount of a subscription and then cancel it | DELETE /v1/subscriptions/{subscription_exposed_id}/discount + DELETE /v1/subscriptions/{subscription_exposed_id}
`,
  'box.json.gz': `
put my photo into the Holidays directory | POST /files/content
get the bytes of contract.pdf | GET /files/{file_id}/content
what is inside the Projects directory? | GET /folders/{folder_id}/items
make a new directory for 2025 | POST /folders
rename the file to final.docx | PUT /files/{file_id}
throw this document into the bin | DELETE /files/{file_id}
get the document back that I deleted by mistake | POST /files/{file_id}
empty it for good: this file must never come back | DELETE /files/{file_id}/trash
what is in my recycle bin | GET /folders/trash/items
earlier revisions of the report | GET /files/{file_id}/versions
go back to last week's revision of the report | POST /files/{file_id}/versions/current = PUT /files/{file_id}/versions/{file_version_id}
replace the document by a newer copy I have on disk | POST /files/{file_id}/content
find everything that mentions "merger" | GET /search
give Laura permission to edit this folder | POST /collaborations
who can see this file? | GET /files/{file_id}/collaborations
Laura shall only read from now on, not edit | PUT /collaborations/{collaboration_id}
kick Laura out of the shared folder | DELETE /collaborations/{collaboration_id}
a public URL for the brochure | PUT /files/{file_id}#add_shared_link
take the brochure's public URL offline | PUT /files/{file_id}#remove_shared_link
what lies behind this box.com/s/ URL? | GET /shared_items
write a remark under the file | POST /comments
what did people say about this file | GET /files/{file_id}/comments
ask Bob to review the file by Friday | POST /tasks = POST /task_assignments
small preview picture of the slide deck | GET /files/{file_id}/thumbnail.{extension}
several files and directories in one archive for download | POST /zip_downloads
have the NDA signed electronically by two people | POST /sign_requests
nudge the people who have not signed yet | POST /sign_requests/{sign_request_id}/resend
call off the signature request | POST /sign_requests/{sign_request_id}/cancel
summarise this document for me with AI | POST /ai/ask = POST /ai/text_gen
pull the invoice number and the total out of the scan | POST /ai/extract_structured = POST /ai/extract
stamp the viewer's name across the pages | PUT /files/{file_id}/watermark
mark the file as confidential | POST /files/{file_id}/metadata/enterprise/securityClassification-6VMVochwUWo
nobody may delete these files for seven years: set up the rule | POST /retention_policies
preserve all of Kim's documents for the court case | POST /legal_hold_policies = POST /legal_hold_policy_assignments
open an account for a new colleague | POST /users
hand all of Tom's content over to Sue before he goes | PUT /users/{user_id}/folders/0
sign these people out of all their devices | POST /users/terminate_sessions
add Sue to the finance group | POST /group_memberships
who belongs to the finance group? | GET /groups/{group_id}/memberships
which companies' domains may we share with? | GET /collaboration_whitelist_entries
what did users do in our enterprise yesterday? | GET /events
upload a 5 GB video in pieces | POST /files/upload_sessions
stop people from moving or deleting this folder | POST /folder_locks
files that I opened lately | GET /recent_items
ping our server when a file is added to the folder | POST /webhooks
create a folder and share it with the agency | POST /folders + POST /collaborations
find the budget spreadsheet and leave a comment on it | GET /search + POST /comments
create a group and add three users to it | POST /groups + POST /group_memberships
copy the template folder and rename the copy | POST /folders/{folder_id}/copy + PUT /folders/{folder_id}
make a task on the file and assign it to Eva | POST /tasks + POST /task_assignments
look at the old versions of the file and remove the first one | GET /files/{file_id}/versions + DELETE /files/{file_id}/versions/{file_version_id}
`,
  'discord.json.gz': `
post "hello" in the channel | POST /channels/{channel_id}/messages
what was written in the channel lately? | GET /channels/{channel_id}/messages
correct a message the bot sent | PATCH /channels/{channel_id}/messages/{message_id}
remove 50 spam messages in one go | POST /channels/{channel_id}/messages/bulk-delete
ban the troll from our server | PUT /guilds/{guild_id}/bans/{user_id}
let the banned user in again | DELETE /guilds/{guild_id}/bans/{user_id}
who has been banned? | GET /guilds/{guild_id}/bans
kick a member | DELETE /guilds/{guild_id}/members/{user_id}
throw out everyone who has been inactive for 30 days | POST /guilds/{guild_id}/prune
how many inactive people would be thrown out? | GET /guilds/{guild_id}/prune
make Zoe a moderator: give her the role | PUT /guilds/{guild_id}/members/{user_id}/roles/{role_id}
take the VIP role off Zoe | DELETE /guilds/{guild_id}/members/{user_id}/roles/{role_id}
a new role with a purple colour | POST /guilds/{guild_id}/roles
add a voice room to the server | POST /guilds/{guild_id}/channels
delete the off-topic channel | DELETE /channels/{channel_id}
change the name of the channel | PATCH /channels/{channel_id}
who reacted with a heart to the message? | GET /channels/{channel_id}/messages/{message_id}/reactions/{emoji_name}
react with a rocket | PUT /channels/{channel_id}/messages/{message_id}/reactions/{emoji_name}/@me
clear all emoji from under the post | DELETE /channels/{channel_id}/messages/{message_id}/reactions
stick the rules to the top of the channel | PUT /channels/{channel_id}/messages/pins/{message_id} = PUT /channels/{channel_id}/pins/{message_id}
link that lets friends join | POST /channels/{channel_id}/invites
make the leaked join link useless | DELETE /invites/{code}
branch off a side discussion from this message | POST /channels/{channel_id}/messages/{message_id}/threads
upload a custom emoji | POST /guilds/{guild_id}/emojis
which stickers do we have | GET /guilds/{guild_id}/stickers
plan a movie night for Saturday | POST /guilds/{guild_id}/scheduled-events
who wants to come to the movie night? | GET /guilds/{guild_id}/scheduled-events/{guild_scheduled_event_id}/users
close the poll early | POST /channels/{channel_id}/polls/{message_id}/expire
who voted for the second option? | GET /channels/{channel_id}/polls/{message_id}/answers/{answer_id}
log of what the moderators did | GET /guilds/{guild_id}/audit-logs
block messages with swear words automatically | POST /guilds/{guild_id}/auto-moderation/rules
register a slash command for the bot | POST /applications/{application_id}/commands = POST /applications/{application_id}/guilds/{guild_id}/commands
open a direct message with a user | POST /users/@me/channels
which servers am I in? | GET /users/@me/guilds
leave the server | DELETE /users/@me/guilds/{guild_id}
let our CI post into the channel by a URL | POST /channels/{channel_id}/webhooks
play a sound in the voice channel | POST /channels/{channel_id}/send-soundboard-sound
show "typing…" | POST /channels/{channel_id}/typing
look for a member called "max" | GET /guilds/{guild_id}/members/search
nickname of the bot: change it here | PATCH /guilds/{guild_id}/members/@me
greeting shown to newcomers: edit it | PATCH /guilds/{guild_id}/welcome-screen
create a role and give it to a member | POST /guilds/{guild_id}/roles + PUT /guilds/{guild_id}/members/{user_id}/roles/{role_id}
find the member "spammer" and ban them | GET /guilds/{guild_id}/members/search + PUT /guilds/{guild_id}/bans/{user_id}
start a thread in the channel and add Kim to it | POST /channels/{channel_id}/threads + PUT /channels/{channel_id}/thread-members/{user_id}
list the webhooks of a channel and delete the unused one | GET /channels/{channel_id}/webhooks + DELETE /webhooks/{webhook_id}
`,
}
