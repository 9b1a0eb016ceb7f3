import { Buffer } from 'node:buffer'

/** A program that shows its standard input in a window. Everything here is constant. */
export interface DialogProgram {
  readonly file: string
  readonly args: readonly string[]
}

const TITLE = 'mcpaql: verification code'

/** A text view that scrolls: a long hint must not push its end off the screen. */
const APPLE_SCRIPT = `
ObjC.import('AppKit')
const bytes = $.NSFileHandle.fileHandleWithStandardInput.readDataToEndOfFile
const text = $.NSString.alloc.initWithDataEncoding(bytes, $.NSUTF8StringEncoding)
const app = $.NSApplication.sharedApplication
app.setActivationPolicy($.NSApplicationActivationPolicyRegular)
const scroll = $.NSTextView.scrollableTextView
scroll.setFrame($.NSMakeRect(0, 0, 640, 400))
scroll.documentView.setString(text)
scroll.documentView.setEditable(false)
const alert = $.NSAlert.alloc.init
alert.setMessageText('${TITLE}')
alert.setAccessoryView(scroll)
alert.addButtonWithTitle('Close')
app.activateIgnoringOtherApps(true)
alert.runModal
`

const POWERSHELL_SCRIPT = `
$ErrorActionPreference = 'Stop'
$reader = New-Object IO.StreamReader([Console]::OpenStandardInput(), [Text.Encoding]::UTF8)
$text = $reader.ReadToEnd() -replace "\\r?\\n", [Environment]::NewLine
Add-Type -AssemblyName System.Windows.Forms, System.Drawing
$form = New-Object Windows.Forms.Form
$form.Text = '${TITLE}'
$form.Size = New-Object Drawing.Size(760, 480)
$form.TopMost = $true
$box = New-Object Windows.Forms.TextBox
$box.Multiline = $true
$box.ReadOnly = $true
$box.ScrollBars = 'Both'
$box.Dock = 'Fill'
$box.Font = New-Object Drawing.Font('Consolas', 10)
$box.Text = $text
$box.Select(0, 0)
$form.Controls.Add($box)
[void]$form.ShowDialog()
`

/** By platform, the first that is there. */
export const DIALOG_PROGRAMS: Readonly<Record<string, readonly DialogProgram[]>> = Object.freeze({
  linux: [
    { file: 'zenity', args: ['--text-info', `--title=${TITLE}`, '--font=monospace', '--width=760', '--height=480'] },
    { file: 'kdialog', args: ['--title', TITLE, '--textbox', '-', '760', '480'] },
  ],
  darwin: [{ file: 'osascript', args: ['-l', 'JavaScript', '-e', APPLE_SCRIPT] }],
  win32: [
    {
      file: 'powershell.exe',
      args: [
        '-NoProfile',
        '-NonInteractive',
        '-STA',
        '-EncodedCommand',
        Buffer.from(POWERSHELL_SCRIPT, 'utf16le').toString('base64'),
      ],
    },
  ],
})

/**
 * Names of the variables that a window needs. Whatever loads code into a program (`LD_PRELOAD`, `GTK_MODULES`,
 * `GTK_PATH`, `PYTHONPATH`, `NODE_OPTIONS`) or changes where one is found (`PATH`) is not among them.
 */
export const PASSED_ON: readonly string[] = Object.freeze([
  'DISPLAY',
  'WAYLAND_DISPLAY',
  'XAUTHORITY',
  'XDG_RUNTIME_DIR',
  'DBUS_SESSION_BUS_ADDRESS',
  'HOME',
  'LANG',
  'LC_ALL',
  'SystemRoot',
  'TEMP',
])
