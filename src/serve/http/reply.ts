/** A route's answer before it becomes bytes. Kept apart from the socket so that faults can be worked into it. */
export type Reply =
  | { kind: 'json'; status: number; value: unknown; headers?: Readonly<Record<string, string>> }
  | { kind: 'bytes'; status: number; type: string; bytes: Uint8Array; headers?: Readonly<Record<string, string>> }
  | { kind: 'empty'; status: number }
  /** Server-sent events; each string is the text after `data: `. */
  | { kind: 'events'; events: Iterable<string> };

export const ok = (value: unknown): Reply => ({ kind: 'json', status: 200, value });

export const text = (content: string, type: string): Reply => ({
  kind: 'bytes',
  status: 200,
  type,
  bytes: new TextEncoder().encode(content),
});

/** Bytes of everything but a stream. */
export function bytesOf(reply: Exclude<Reply, { kind: 'events' }>): { type: string | null; bytes: Uint8Array } {
  if (reply.kind === 'empty') return { type: null, bytes: new Uint8Array() };
  if (reply.kind === 'bytes') return { type: reply.type, bytes: reply.bytes };
  return { type: 'application/json', bytes: new TextEncoder().encode(JSON.stringify(reply.value)) };
}
