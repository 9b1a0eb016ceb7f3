import { SECURITY_HEADERS } from './headers.ts'

/**
 * What the plain addresses show. Other programs may have answered there before us and left a worker or a cached page in
 * the browser, so nothing there can be believed and nothing is asked; the browser is told to drop what it keeps.
 */
export const SIGNPOST = Buffer.from(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>mcpaql</title>
</head>
<body>
<h1>The console has another address</h1>
<p>Run <code>mcpaql console</code> in a terminal of your own and follow the link that it prints. The address is new each time the console starts.</p>
<p>Never type the operator secret into a page that you have reached in any other way.</p>
</body>
</html>
`)

export const SIGNPOST_HEADERS: Readonly<Record<string, string | number>> = Object.freeze({
  ...SECURITY_HEADERS,
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; sandbox",
  'clear-site-data': '"cache", "storage", "executionContexts"',
  'content-type': 'text/html; charset=utf-8',
  'content-length': SIGNPOST.length,
})
