/** Announcements, separators and beginnings that searches for secrets and for commands stop at, to be repeated. */
export const REPEATED = [
  ...['pw=/', 'token=/', 'token=~/', 'token:/,', 'pw=""/', 'pw="/""', 'pw={{', 'pw=$', 'pw=\\"/', "pw='/", 'pw: /'],
  ...['key "aB1cD2eF3gH4key "', '${pw:-/', "('pw','/'", 'name=pw,value=/', 'cookie: a=1; ', 'Cookie:a=/'],
  ...['mysql -p/', 'curl -u "a:/', 'docker login ', 'helm\tlogin -p=', 'password("/', '<password>/', 'IDENTIFIED BY '],
  ...['x://u:p', 'x://u:aB1_a@', 'Bearer a/', 'eyJa.', 'SG.', 'key:a:', '--token /', '-----BEGIN PRIVATE KEY-----a: '],
  ...['_a', '-a', '.a', '._', '/_', 'a_a.', '\\', '{', '[', '(', "'", '"', '`', '$(', '\n', ' \n', '\t ', '; ', '&& '],
  ...["git commit -F - <<'E'\n", "git commit -F - <<'E'\n\n\n", 'cd a && ', 'cat <<E\n', 'cat <<E_E_E\n', '<<', '\\\n'],
] as const

/** The last letters are what nothing expects, so that all that came before is given back. */
export const ENDS = ['', ';@h', '~', '\u0001', '@', '!'] as const

/** What would grow with the number of repetitions of something that can be taken in two ways. */
export const HEADS = ['', 'x://u:aBaBaBaBa', 'token: a', 'password=aBaBaBaBa', 'src/secret', 'claude --config'] as const
