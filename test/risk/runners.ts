// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell text
import { Buffer } from 'node:buffer'

const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** Places where a command line runs another: in other languages, on other machines, later, by tools and in words. */
export const RUNNERS: Readonly<Record<string, (command: string) => string>> = {
  'nsenter --': (command) => `nsenter -t 1 -m -u -- ${command}`,
  'printf to a shell': (command) => `printf '%s\\n' ${quote(command)} | bash`,
  'sh -c of a substitution': (command) => `bash -c "$(printf '%s' ${quote(command)})"`,
  'eval of a here-document': (command) => `eval "$(cat <<'E'\n${command}\nE\n)"`,
  'exec "$@"': (command) => `sh -c 'exec "$@"' -- ${command}`,
  'python from its input': (command) => `python3 - <<'E'\nimport os\nos.system(${JSON.stringify(command)})\nE`,
  'python -c without a space': (command) => `python3 -c'import os;os.system("${command}")'`,
  'perl -e without a space': (command) => `perl -e'system("${command}")'`,
  'php exec': (command) => `php -r 'exec("${command}");'`,
  'lua os.execute': (command) => `lua -e 'os.execute("${command}")'`,
  'awk system': (command) => `awk 'BEGIN{system("${command}")}'`,
  'gdb shell': (command) => `gdb -batch -ex 'shell ${command}'`,
  'git core.pager': (command) => `git -c core.pager=${quote(command)} log`,
  'ssh ProxyCommand': (command) => `ssh -o ProxyCommand=${quote(command)} host`,
  'vim -c': (command) => `vim -es -c ':!${command}' -c q`,
  'at from its input': (command) => `at now <<< ${quote(command)}`,
  'crontab from its input': (command) => `echo ${quote(`* * * * * ${command}`)} | crontab -`,
  'make from a stream': (command) => `make -f <(printf 'a:\\n\\t${command}')`,
  'sudo -s from its input': (command) => `sudo -s <<< ${quote(command)}`,
  'su from its input': (command) => `su root <<< ${quote(command)}`,
  ': ${x:=…}': (command) => `: \${x:=$(${command})}`,
  'case of a substitution': (command) => `case $(${command}) in *) ;; esac`,
  'set -- and "$@"': (command) => `set -- ${command}; "$@"`,
  'a brace expansion': (command) => `{${command.split(' ').join(',')}}`,
  'source of a stream': (command) => `. <(echo ${quote(command)})`,
  'a script that the text writes': (command) => `printf '#!/bin/sh\n${command}\n' > x.sh; chmod +x x.sh; ./x.sh`,
  'base64 in python': (command) =>
    `python3 -c "import base64,os;os.system(base64.b64decode('${Buffer.from(command).toString('base64')}'))"`,
  'the ninth round': (command) => `for x in 1 2 3 4 5 6 7 8 ${quote(command)}; do eval "$x"; done`,
  'deep in arithmetic': (command) => `echo $(( $(${command})${' + 1'.repeat(60)} ))`,
  'behind many flags': (command) => `unknown-wrapper ${'--flag value '.repeat(12)}${command}`,
  'aws ssm': (command) =>
    `aws ssm send-command --document-name AWS-RunShellScript --parameters commands=${quote(command)}`,
  'az vm run-command': (command) => `az vm run-command invoke -g rg -n vm --scripts ${quote(command)}`,
  'gcloud compute ssh': (command) => `gcloud compute ssh web-1 --command=${quote(command)}`,
  'heroku run': (command) => `heroku run ${command}`,
  'fly ssh console': (command) => `fly ssh console -C ${quote(command)}`,
  'ansible shell': (command) => `ansible all -m shell -a ${quote(command)}`,
  'salt cmd.run': (command) => `salt '*' cmd.run ${quote(command)}`,
  'vagrant ssh': (command) => `vagrant ssh -c ${quote(command)}`,
  'a call in parentheses': (command) => `Bash(${JSON.stringify(command)})`,
  'a tool call': (command) => `run_command {"command": ${JSON.stringify(command)}}`,
  'a sentence': (command) => `I will now run \`${command}\` to clean up`,
  'a heading': (command) => `Next step: ${command}`,
}
