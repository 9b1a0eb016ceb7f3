/** How a source stands in an address: its name may hold spaces, which an address may not, and never a dot. */
export function sourceId(adapter: string): string {
  return adapter.replaceAll(' ', '.')
}
