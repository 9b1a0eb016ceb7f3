/** `mcpaql/serve`: put runtimes on a transport of your own program. */
export { type HttpOptions, type HttpServer, serveHttp } from './http.ts'
export { guardStdout, type StdioOptions, type StdioServer, serveStdio } from './stdio.ts'
