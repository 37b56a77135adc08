/** Answers as proxies and failing servers spoil them, by name: each in place of the right one. */
import type { ServerResponse } from 'node:http';
import type { Handler } from './httpServer.ts';

const json = { 'content-type': 'application/json' };
const ended =
  (body: string | Buffer, headers: Record<string, string> = json, status = 200) =>
  (response: ServerResponse): void => {
    response.writeHead(status, headers);
    response.end(body);
  };

export const spoilt: Readonly<Record<string, (response: ServerResponse) => void>> = {
  'broken gzip': ended(Buffer.from('1f8b0800000000000003ab56ff', 'hex'), { ...json, 'content-encoding': 'gzip' }),
  'no gzip at all': ended('{}', { ...json, 'content-encoding': 'gzip' }),
  null: ended('null'),
  empty: ended(''),
  'a number': ended('17'),
  'a text': ended('"ok"'),
  'a list': ended('[]'),
  'an object of nothing': ended('{}'),
  'another shape': ended('{"unexpected": [1, 2, 3], "data": {"id": 5}, "choices": "none"}'),
  'JSON that was cut': ended('{"data": [{"id": "qw'),
  'two answers in one': ended('{"data": []}{"data": []}'),
  'a page': ended('<!doctype html><title>Gateway</title>', { 'content-type': 'text/html' }),
  'a page that says not found': ended(
    '<html><title>404 Not Found</title></html>',
    { 'content-type': 'text/html' },
    404,
  ),
  'a page of a gateway': ended('<html><title>Bad Gateway</title></html>', { 'content-type': 'text/html' }, 502),
  'bytes that are no text': ended(Buffer.from([0xff, 0xfe, 0, 1, 2, 0x80])),
  'a body that ends early': (response) => {
    response.writeHead(200, { ...json, 'content-length': '400' });
    response.write('{"data": [');
    setImmediate(() => response.destroy());
  },
  'a reset': (response) => {
    response.socket?.resetAndDestroy();
  },
  'no HTTP': (response) => {
    response.socket?.end('what?\r\n\r\n');
  },
};

/** The first so many answers to each path are spoilt like this. */
export function spoiling(how: (response: ServerResponse) => void, times: number, answer: Handler): Handler {
  const seen = new Map<string, number>();
  return (response, asked, count) => {
    const so = (seen.get(asked.path) ?? 0) + 1;
    seen.set(asked.path, so);
    if (so <= times) how(response);
    else answer(response, asked, count);
  };
}
