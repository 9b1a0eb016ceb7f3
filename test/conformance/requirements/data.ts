import { must, type Requirement, should } from './row.ts'

/** Encoding, dates, numbers, binary, limits, null. */
export const DATA: readonly Requirement[] = [
  must(
    'DATA-01',
    'All text is UTF-8; overlong forms, bad continuation bytes, truncated sequences and the code points U+D800-U+DFFF are refused with `VALIDATION_INVALID_ENCODING`.',
    'spec 4.7.1',
  ),
  must(
    'DATA-02',
    'Detection does not rely on the platform\'s lenient decoder: bytes are decoded in fatal mode, and keys and values holding a lone surrogate written as a JSON escape (`"\\ud800"`) are refused too.',
    'spec 4.7.1, choice',
  ),
  should(
    'DATA-03',
    'A string containing U+0000 is refused unless the parameter is documented as allowing it.',
    'spec 4.7.1',
  ),
  must(
    'DATA-04',
    'Date and time values use ISO 8601: `YYYY-MM-DD`, date-time with `Z`, or date-time with a numeric offset such as `+05:30`; other spellings are a validation error for parameters typed as dates.',
    'spec 4.7.2',
  ),
  should(
    'DATA-05',
    'Timestamps the server produces are in UTC with the `Z` suffix; the handling of time zones for date-only values is documented (MUST).',
    'spec 4.7.2',
  ),
  must(
    'DATA-06',
    'Numbers follow JSON and double precision; integers outside ±9,007,199,254,740,991 are not passed as JSON numbers but as strings, with a documented companion where useful (`amount` with `amount_type: "bigint"`), and parameters needing the string form say so.',
    'spec 4.7.3',
  ),
  must(
    'DATA-07',
    'Binary content is padded standard base64 (RFC 4648) accompanied by an encoding field and a media-type field, as in `file_content`, `file_encoding: "base64"`, `file_mime_type`; any other way to pass binary is described in introspection.',
    'spec 4.7.4',
  ),
  must(
    'DATA-08',
    "Five limits are enforced, each configurable within its range: request 1 MB (64 KB-10 MB), response 10 MB (1 MB-100 MB), one string 1 MB (64 KB-10 MB), array elements 10,000 (100-100,000), nesting depth 32 (8-64); the request size is that of the whole JSON-RPC message, the others apply to the tool's `arguments`, and where several are crossed the most specific (string, array, depth) is reported before the request size.",
    'spec 4.7.5, choice',
  ),
  must(
    'DATA-09',
    'Depth counts objects and arrays with the root (`arguments`) as level 1, so `{"a":{"b":{"c":{}}}}` has depth 4; byte limits are measured on the UTF-8 form.',
    'spec 4.7.5, choice (bytes)',
  ),
  must(
    'DATA-10',
    'A crossed limit, including an oversized response, yields `VALIDATION_PAYLOAD_TOO_LARGE` naming the limit; the oversized response body is not sent.',
    'spec 4.7.5, errors 4.7',
  ),
  should(
    'DATA-11',
    'The active limits are published in `_protocol.limits` as `max_request_size`, `max_response_size`, `max_string_length`, `max_array_elements`, `max_nesting_depth`; documenting them somewhere is a MUST.',
    'spec 4.7.5',
  ),
  must(
    'DATA-12',
    'In a response, `null` means the field exists without a value, and a parameter for which omission and `null` differ says so in its description.',
    'spec 4.7.6',
  ),
]
