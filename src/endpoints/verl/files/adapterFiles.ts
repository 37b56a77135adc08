/** The adapter that a job leaves: PEFT's folder, as a server loads it. */
import * as z from 'zod';
import { parseOrUndefined } from '../../../shared/json.ts';
import { EndpointError } from '../../endpointError.ts';
import type { JobFiles } from './jobFiles.ts';

const configSchema = z.object({ r: z.int(), lora_alpha: z.number() });

/** @throws EndpointError `failed` for an adapter that would change nothing, or that is not whole */
export async function checkAdapter(files: JobFiles, folder: string, rank: number, endpoint: string): Promise<void> {
  const names = await files.list(folder);
  const config = (await files.read(`${folder}/adapter_config.json`))?.toString() ?? '';
  const read = configSchema.safeParse(parseOrUndefined(config));
  const wrong =
    names.length === 0
      ? 'is not there'
      : !names.includes('adapter_model.safetensors')
        ? 'has no adapter_model.safetensors'
        : !read.success
          ? 'has no adapter_config.json with a rank and a scale'
          : read.data.r !== rank
            ? `has rank ${read.data.r}, not ${rank}`
            : read.data.lora_alpha === 0
              ? 'has lora_alpha 0, with which it would change nothing'
              : null;
  if (wrong === null) return;
  throw new EndpointError('failed', `the job is done, and its adapter in ${folder} ${wrong}`, {
    ...{ endpoint, request: 'export of the adapter', attempts: 1 },
    remedy: 'See the end of the job’s log; this version of verl’s model_merger may write adapters otherwise.',
  });
}
