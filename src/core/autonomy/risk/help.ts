/** Before every operand: some systems take what follows one for another. */
export function isHelp(args: readonly string[]): boolean {
  const end = args.findIndex((arg) => !arg.startsWith('-') || arg === '--')
  return (end < 0 ? args : args.slice(0, end)).some((arg) => arg === '--help' || arg === '--version')
}
