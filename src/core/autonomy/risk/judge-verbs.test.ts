import { describe, expect, test } from 'vitest'
import { scoreHint } from './score-hint.ts'

// biome-ignore format: a table reads by columns
describe('AUTO-13 the verbs of command lines', () => {
  test.each([
    ['a question reads, whatever it asks about', 'kubectl auth can-i delete pods',                    0, 30],
    ['a thing with a reading verb reads',        'vault operator raft list-peers',                    0, 30],
    ['a thing alone is shown',                   'stripe config',                                      0, 30],
    ['a rehearsal changes nothing',              'cargo publish --dry-run',                           0, 30],
    ['the last part of a task says what is done', 'php artisan migrate:status',                       0, 30],
    ['a filter is no verb',                      'aws ec2 describe-instances --filters Name=x,Values=delete', 0, 30],
    ['a device may be looked at',                'smartctl -a /dev/sda',                              0, 30],
    ['a title is no command',                    'gh issue create --title "drop table users; rm -rf /"', 0, 60],
    ['a part of a task takes away',              'php artisan migrate:fresh',                        61, 85],
    ['also between dots',                        'mix ecto.drop',                                    61, 85],
    ['also in the middle',                       'npx sequelize db:migrate:undo:all',                61, 85],
    ['a thing that may be read does not hide it', 'history_clear',                                   61, 85],
    ['keys are made anew',                       'vault operator rekey',                             61, 85],
    ['a tag names it',                           'ansible-playbook site.yml --tags destroy',         61, 85],
    ['a playbook is named for it',               'ansible-playbook teardown.yml',                    61, 85],
    ['a flag names it behind force',             'npx prisma db push --force-reset',                 61, 85],
    ['scaled to nothing',                        'aws ecs update-service --service web --desired-count 0', 61, 85],
    ['a protection is taken away',               'aws rds modify-db-instance --no-deletion-protection', 61, 85],
    ['rights are given',                         'gcloud projects add-iam-policy-binding p --member user:a --role roles/owner', 61, 85],
    ['opened to everybody',                      'gh repo edit a/b --visibility public',             61, 85],
    ['others get something else',                'twine upload dist/*',                              61, 85],
    ['statements are given along',               'wrangler d1 execute db --command "DROP TABLE users"', 86, 100],
    ['a command runs elsewhere',                 'fly ssh console -C "rm -rf /"',                    86, 100],
    ['many flags hide no verb',                  `kubectl ${'--a b '.repeat(20)}delete pod x`,       61, 85],
    ['PUT replaces',                             'curl -X PUT https://example.com/users/7',          61, 85],
    ['PATCH changes',                            'xh PATCH https://example.com/users/7 name=x',      61, 85],
    ['a silent command empties a file',          ': > /var/log/auth.log',                            61, 85],
    ['words of -exec are no test of find',       String.raw`find . -exec echo -delete \;`,            0, 30],
  ])('%s: %s', (_, hint, least, most) => {
    const { score } = scoreHint(hint)
    expect(score).toBeGreaterThanOrEqual(least)
    expect(score).toBeLessThanOrEqual(most)
  })
})
