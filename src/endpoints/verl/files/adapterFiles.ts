/** The adapter that a job leaves: PEFT's folder, as a server loads it. */
import * as l10n from '@vscode/l10n';
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
      ? l10n.t('is not there')
      : !names.includes('adapter_model.safetensors')
        ? l10n.t('has no adapter_model.safetensors')
        : !read.success
          ? l10n.t('has no adapter_config.json with a rank and a scale')
          : read.data.r !== rank
            ? l10n.t('has rank {0}, not {1}', read.data.r, rank)
            : read.data.lora_alpha === 0
              ? l10n.t('has lora_alpha 0, with which it would change nothing')
              : null;
  if (wrong === null) return;
  throw new EndpointError('failed', l10n.t('the job is done, and its adapter in {0} {1}', folder, wrong), {
    ...{ endpoint, request: l10n.t('export of the adapter'), attempts: 1 },
    remedy: l10n.t('See the end of the job’s log; this version of verl’s model_merger may write adapters otherwise.'),
  });
}
