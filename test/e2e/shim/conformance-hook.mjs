const SHIM = new URL('./fs-with-glob.mjs', import.meta.url).href

export async function resolve(specifier, context, next) {
  const isFs = specifier === 'fs' || specifier === 'node:fs'
  const isSuite = context.parentURL?.includes('/@modelcontextprotocol/conformance/')
  return isFs && isSuite ? { url: SHIM, shortCircuit: true } : await next(specifier, context)
}
