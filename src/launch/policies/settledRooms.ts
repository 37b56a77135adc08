/**
 * The requests that each server had room for, kept beside a run: when the run is resumed it begins with half of that
 * instead of a few. A server is known by its address and its model; another one begins as usual.
 */
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { nodeFiles } from '../../runs/files/fileOperations.ts';
import { parseOrUndefined } from '../../shared/json.ts';

const roomsSchema = z.strictObject({
  v: z.literal(1),
  rooms: z.array(z.strictObject({ url: z.string(), model: z.string(), room: z.int().positive() })),
});
export type SettledRoom = z.infer<typeof roomsSchema>['rooms'][number];

/** A server may have been restarted with less, and others may use it now: growth is fast, and a queue costs everyone. */
const share = 0.5;

const roomsFile = (dir: string): string => join(dir, 'endpoints', 'rooms.json');

/** The rooms of a run's last session; none where they are not known. */
export async function readRooms(dir: string): Promise<SettledRoom[]> {
  const text = await readFile(roomsFile(dir), 'utf8').catch(() => '');
  return roomsSchema.safeParse(parseOrUndefined(text)).data?.rooms ?? [];
}

/** @throws the error of the disk */
export async function keepRooms(dir: string, rooms: SettledRoom[]): Promise<void> {
  const path = roomsFile(dir);
  await nodeFiles.makeFolder(dirname(path));
  await nodeFiles.replace(path, `${JSON.stringify({ v: 1, rooms } satisfies z.infer<typeof roomsSchema>)}\n`);
}

/** The room that was settled on at a server; undefined where nothing is known of it. */
export const settledRoom = (rooms: readonly SettledRoom[], url: string, model: string): number | undefined =>
  rooms.find((one) => one.url === url && one.model === model)?.room;

/** The room to begin with. */
export const firstRoom = (settled: number): number => Math.floor(share * settled);
