/** Where spans go: by the standard variables of OpenTelemetry, or by what an editor's settings say. */
import type { Keys } from '../access/keys.ts';
import { defined } from '../../shared/defined.ts';

export interface TracesTarget {
  /** Of the collector's traces, as a person wrote it: `http://localhost:4318/v1/traces`. */
  url: string;
  /** Given beside the address by the same person. */
  headers?: Readonly<Record<string, string>>;
  /** A reference, sent where a person allowed it. */
  proof?: { key: string | null; keys: Keys };
  /** Whether texts of prompts and answers go along. */
  content: boolean;
  service: string;
  /** Further attributes of the resource, none of them `service.name`. */
  resource: Readonly<Record<string, string>>;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * By OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, else OTEL_EXPORTER_OTLP_ENDPOINT and `v1/traces`; null where neither is set, or where
 * OTEL_SDK_DISABLED or OTEL_TRACES_EXPORTER say so.
 */
export function targetOfEnvironment(environment: Environment): TracesTarget | null {
  const text = (name: string): string | undefined => {
    const value = environment[name]?.trim();
    return value === '' ? undefined : value;
  };
  if (text('OTEL_SDK_DISABLED')?.toLowerCase() === 'true') return null;
  if (!(text('OTEL_TRACES_EXPORTER') ?? 'otlp').split(',').some((one) => one.trim() === 'otlp')) return null;
  const base = text('OTEL_EXPORTER_OTLP_ENDPOINT');
  const url = text('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT') ?? (base && `${base.replace(/\/+$/, '')}/v1/traces`);
  if (url === undefined) return null;
  const { 'service.name': named, ...resource } = pairs(text('OTEL_RESOURCE_ATTRIBUTES') ?? '');
  const headers = text('OTEL_EXPORTER_OTLP_TRACES_HEADERS') ?? text('OTEL_EXPORTER_OTLP_HEADERS');
  return {
    ...{ url, ...defined({ headers: headers === undefined ? undefined : pairs(headers) }) },
    content: text('OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT')?.toLowerCase() === 'true',
    // OTEL_SERVICE_NAME precedes the attribute (OpenTelemetry, "General SDK Configuration").
    service: text('OTEL_SERVICE_NAME') ?? named ?? 'genenv',
    resource,
  };
}

/** Of an editor. */
export interface TracesSettings {
  /** '' sends nothing. */
  url: string;
  /** A reference; null for none. */
  key: string | null;
  content: boolean;
}

/** @returns null where no address is set */
export const targetOfSettings = ({ url, key, content }: TracesSettings, keys: Keys): TracesTarget | null =>
  url === '' ? null : { url, proof: { key, keys }, content, service: 'genenv', resource: {} };

/** `name=value,name=value`, both percent-encoded, as W3C baggage is. */
function pairs(text: string): Record<string, string> {
  return Object.fromEntries(
    text.split(',').flatMap((pair) => {
      const [name = '', ...value] = pair.split('=');
      return name.trim() === '' || value.length === 0 ? [] : [[name.trim(), decoded(value.join('=').trim())]];
    }),
  );
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
