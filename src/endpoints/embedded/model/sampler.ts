/**
 * Batched sampling with key/value caches. Completions of one prompt share its prefill and read one copy of its keys; a
 * finished completion's slot goes to the next one in line, so the batch stays full. No completion's bits depend on which
 * others it was decoded with.
 */
import type { Network } from './network.ts';
import { pack } from './packing.ts';
import { outOfRange } from '../../../shared/outOfRange.ts';

/** A sample request whose messages were rendered. */
export interface TokenRequest {
  prompt: readonly number[];
  /** Which completions are wanted: indices of the streams (seed, index). */
  indices: readonly number[];
  seed: number;
  maxTokens: number;
  temperature: number;
  /** Logprobs of the tempered distribution, as a Tinker server tells them; else the model's own, of temperature 1. */
  tempered: boolean;
}

export interface SampledCompletion {
  /** Which request, by position in the list. */
  request: number;
  index: number;
  tokens: number[];
  /** Natural logs, single precision; of temperature 1 unless `tempered` was asked for. Greedy: always of temperature 1. */
  logprobs: number[];
  stopReason: 'stop' | 'length';
}

/** A prompt in the cache, kept while completions read it. */
interface Prefix {
  /** Number of its block. */
  block: number;
  length: number;
  key: string;
  readers: number;
}

/** A completion being decoded. */
interface Row {
  order: number;
  slot: number;
  prefix: Prefix;
  limit: number;
  completion: SampledCompletion;
}

/** A completion waiting for a slot. */
interface Waiting {
  order: number;
  request: TokenRequest;
  completion: SampledCompletion;
}

export function* sampleBatch(
  network: Network,
  parameters: () => number,
  end: number,
  requests: readonly TokenRequest[],
): Generator<SampledCompletion[], void> {
  const batch = new DecodeBatch(network, end);
  const waiting = requests.flatMap((request, i) =>
    request.indices.map((index) => ({
      request,
      completion: { request: i, index, tokens: [], logprobs: [], stopReason: 'length' as const },
    })),
  );
  const queue: Waiting[] = waiting.map((entry, order) => ({ ...entry, order }));
  const finished = new Map<number, SampledCompletion>();
  let admitted = 0;
  let emitted = 0;
  while (emitted < queue.length) {
    const free = batch.free;
    // Small prefills waste most of each matrix product: wait until a good share of the slots is free.
    if (admitted < queue.length && (batch.rows === 0 || free >= network.sizes.slots / 4)) {
      admitted += batch.admit(parameters(), queue.slice(admitted, admitted + free), finished);
    } else {
      batch.decode(parameters(), finished);
    }
    const ready: SampledCompletion[] = [];
    for (let next = finished.get(emitted); next; next = finished.get(++emitted)) {
      ready.push(next);
      finished.delete(emitted);
    }
    yield ready;
  }
}

class DecodeBatch {
  readonly #network: Network;
  readonly #end: number;
  readonly #rows: Row[] = [];
  readonly #freeSlots: number[];
  readonly #freeBlocks: number[];
  readonly #prefixes = new Map<string, Prefix>();

  constructor(network: Network, end: number) {
    this.#network = network;
    this.#end = end;
    const descending = Array.from({ length: network.sizes.slots }, (_, i) => network.sizes.slots - 1 - i);
    this.#freeSlots = [...descending];
    this.#freeBlocks = [...descending];
  }

  get rows(): number {
    return this.#rows.length;
  }

  get free(): number {
    return this.#freeSlots.length;
  }

  /** Prefills the prompts of as many candidates as fit and samples their first tokens; returns how many were taken. */
  admit(parameters: number, candidates: readonly Waiting[], finished: Map<number, SampledCompletion>): number {
    const { at, f32, i32, kernels, sizes, config } = this.#network;
    const fresh: { prefix: Prefix; prompt: readonly number[] }[] = [];
    const first = this.#rows.length;
    let promptRows = 0;
    let taken = 0;
    for (const { order, request, completion } of candidates) {
      const key = request.prompt.join(' ');
      let prefix = this.#prefixes.get(key);
      if (!prefix) {
        const block = this.#freeBlocks.at(-1);
        promptRows += request.prompt.length;
        if (block === undefined || promptRows > sizes.rows) break;
        this.#freeBlocks.pop();
        prefix = { block, length: request.prompt.length, key, readers: 0 };
        this.#prefixes.set(key, prefix);
        fresh.push({ prefix, prompt: request.prompt });
      }
      const slot = this.#freeSlots.pop();
      if (slot === undefined) break;
      prefix.readers++;
      const row = this.#rows.length;
      const limit = Math.min(request.maxTokens, config.context - prefix.length);
      this.#rows.push({ order, slot, prefix, limit, completion });
      const greedy = request.temperature === 0;
      f32[at.decode.inverseTemperatures / 4 + row] = greedy ? 0 : 1 / request.temperature;
      f32[at.decode.told / 4 + row] = request.tempered && !greedy ? 1 / request.temperature : 1;
      i32[at.decode.steps / 4 + row] = 0;
      const keyAt = at.decode.keys + row * 8;
      kernels.streamKey(keyAt, request.seed >>> 0, Math.floor(request.seed / 2 ** 32), completion.index);
      taken++;
    }
    if (fresh.length > 0) this.#prefill(parameters, fresh);
    for (let row = first; row < this.#rows.length; row++) this.#occupy(row);
    this.#draw(at.decode.prefixLogits, at.decode.prefixes, first);
    this.#retire(first, finished);
    return taken;
  }

  /** Points a row at its slot's block and its prefix, and gives the slot the prefix's window history. */
  #occupy(row: number): void {
    const { at, i32, config, sizes } = this.#network;
    const entry = this.#rows[row];
    if (!entry) return;
    const { slot, prefix } = entry;
    const { decode } = at;
    const cell = decode.cells / 4 + row * 4;
    i32[cell] = decode.prefixBlocks + prefix.block * decode.blockBytes;
    i32[cell + 1] = prefix.length;
    i32[cell + 2] = decode.ownBlocks + slot * decode.blockBytes;
    i32[cell + 3] = 0;
    i32[decode.slots / 4 + row] = slot;
    i32[decode.prefixes / 4 + row] = prefix.block;
    const words = 2 * config.width;
    for (let layer = 0; layer < config.layers; layer++) {
      const from = decode.prefixHistory + (prefix.block * config.layers + layer) * words * 4;
      this.#network.copy(from, decode.history + (layer * sizes.slots + slot) * words * 4, words);
    }
  }

  /** Fills the prefixes' blocks; the last layer is finished, and logits computed, for last positions only. */
  #prefill(parameters: number, fresh: readonly { prefix: Prefix; prompt: readonly number[] }[]): void {
    const network = this.#network;
    const { at, i32, kernels, config, layout } = network;
    const { decode } = at;
    const d = config.width;
    // Packing scores L − 1 rows of L tokens; the token added here is never read.
    const prompts = fresh.map(({ prompt }) => [...prompt, 0]);
    const limits = { rows: network.sizes.rows, pairs: network.sizes.rows, sharing: false };
    const batch = pack(prompts, limits)[0];
    if (!batch) return;
    network.load(parameters, batch);
    const lasts = fresh.map(() => 0);
    for (const { index, start, length } of batch.sequences) lasts[index] = start + length - 1;
    fresh.forEach(({ prefix }, n) => {
      const cell = decode.gatherCells / 4 + n * 4;
      i32[cell] = decode.prefixBlocks + prefix.block * decode.blockBytes;
      i32[cell + 1] = prefix.length;
      i32[cell + 2] = i32[cell] ?? outOfRange();
      i32[cell + 3] = 0;
      i32[decode.gather / 4 + n] = lasts[n] ?? outOfRange();
    });
    layout.layers.forEach((tensors, index) => {
      const layer = network.layer(index);
      network.project(parameters, tensors, layer, batch.rows);
      fresh.forEach(({ prefix }, n) => {
        const last = lasts[n] ?? outOfRange();
        const block = decode.prefixBlocks + prefix.block * decode.blockBytes + index * decode.layerBytes;
        kernels.copyKeys(prefix.length, d, layer.qkv + (last + 1 - prefix.length) * 3 * d * 4, block);
        // A window row begins with the position's own vector and the previous one: the history of what follows.
        const history = decode.prefixHistory + (prefix.block * config.layers + index) * 2 * d * 4;
        network.copy(layer.window + last * 3 * d * 4, history, 2 * d);
      });
      if (index + 1 < config.layers) {
        network.mix(batch, layer);
        network.finish(parameters, tensors, layer, network.entry(index + 1), batch.rows, false);
        return;
      }
      const { layer: row } = decode;
      kernels.gatherRows(fresh.length, d, decode.gather, layer.input, d, row.input);
      kernels.gatherRows(fresh.length, 3 * d, decode.gather, layer.qkv, 3 * d, row.qkv);
      const offset = index * decode.layerBytes;
      kernels.attendCached(fresh.length, d, decode.gatherCells, offset, 0, row.qkv, decode.scores, at.ldp, row.mixed);
      network.finish(parameters, tensors, row, decode.input, fresh.length, false);
    });
    network.readOut(parameters, decode, fresh.length);
    const columns = layout.output.padded;
    fresh.forEach(({ prefix }, n) => {
      network.copy(decode.logits + n * columns * 4, decode.prefixLogits + prefix.block * columns * 4, columns);
    });
  }

  /** Decodes one token of every row. */
  decode(parameters: number, finished: Map<number, SampledCompletion>): void {
    const network = this.#network;
    const { at, i32, kernels, config, layout, sizes } = network;
    const { decode } = at;
    const { layer } = decode;
    const rows = this.#rows.length;
    const d = config.width;
    this.#rows.forEach(({ completion, prefix }, row) => {
      i32[decode.tokens / 4 + row] = completion.tokens.at(-1) ?? 0;
      i32[decode.positions / 4 + row] = prefix.length + completion.tokens.length - 1;
    });
    kernels.embed(rows, d, decode.tokens, parameters + layout.embedding.offset * 4, layer.input);
    layout.layers.forEach((tensors, index) => {
      const offset = index * decode.layerBytes;
      network.norm(parameters, tensors.norm1, layer.input, layer.window, 3 * d, layer.inverse1, rows);
      kernels.windowCached(rows, d, layer.window, decode.slots, decode.history + index * sizes.slots * 2 * d * 4);
      network.multiply(parameters, tensors.qkv, layer.window, layer.qkv, rows, false);
      network.rotate(layer.qkv, decode.positions, rows, false);
      kernels.storeKeys(rows, d, decode.cells, offset, layer.qkv);
      kernels.attendCached(rows, d, decode.cells, offset, 1, layer.qkv, decode.scores, at.ldp, layer.mixed);
      network.finish(parameters, tensors, layer, decode.input, rows, false);
      network.copy(decode.input, layer.input, rows * d);
    });
    network.readOut(parameters, decode, rows);
    for (let row = 0; row < rows; row++) {
      const cell = decode.cells / 4 + row * 4 + 3;
      i32[cell] = (i32[cell] ?? outOfRange()) + 1;
      i32[decode.identity / 4 + row] = row;
    }
    this.#draw(decode.logits, decode.identity, 0);
    this.#retire(0, finished);
  }

  /** Samples a token for rows from `first` on, from the logits row that `rowOf` names. */
  #draw(logits: number, rowOf: number, first: number): void {
    const { at, f32, i32, kernels, config, layout } = this.#network;
    const { decode } = at;
    const skip = first * 4;
    kernels.sampleRows(
      this.#rows.length - first,
      config.vocabulary,
      layout.output.padded,
      logits,
      rowOf + skip,
      decode.inverseTemperatures + skip,
      decode.told + skip,
      decode.keys + first * 8,
      decode.steps + skip,
      decode.tokens + skip,
      decode.logprobs + skip,
      decode.scratch,
    );
    for (let row = first; row < this.#rows.length; row++) {
      const entry = this.#rows[row];
      entry?.completion.tokens.push(i32[decode.tokens / 4 + row] ?? outOfRange());
      entry?.completion.logprobs.push(f32[decode.logprobs / 4 + row] ?? NaN);
      const step = decode.steps / 4 + row;
      i32[step] = (i32[step] ?? outOfRange()) + 1;
    }
  }

  /** Takes out finished rows, keeping the others in order so that completions of one prompt stay side by side. */
  #retire(first: number, finished: Map<number, SampledCompletion>): void {
    let kept = first;
    for (let row = first; row < this.#rows.length; row++) {
      const entry = this.#rows[row];
      if (!entry) continue;
      const { tokens } = entry.completion;
      const stopped = tokens.at(-1) === this.#end;
      if (stopped || tokens.length >= entry.limit) {
        finished.set(entry.order, { ...entry.completion, stopReason: stopped ? 'stop' : 'length' });
        this.#release(entry);
        continue;
      }
      if (kept !== row) this.#move(row, kept);
      this.#rows[kept++] = entry;
    }
    this.#rows.length = kept;
  }

  #release({ slot, prefix }: Row): void {
    this.#freeSlots.push(slot);
    if (--prefix.readers > 0) return;
    this.#freeBlocks.push(prefix.block);
    this.#prefixes.delete(prefix.key);
  }

  #move(from: number, to: number): void {
    const { decode } = this.#network.at;
    const copy = (array: number, words: number): void =>
      this.#network.copy(array + from * words * 4, array + to * words * 4, words);
    copy(decode.cells, 4);
    copy(decode.keys, 2);
    copy(decode.slots, 1);
    copy(decode.steps, 1);
    copy(decode.prefixes, 1);
    copy(decode.inverseTemperatures, 1);
    copy(decode.told, 1);
  }
}
