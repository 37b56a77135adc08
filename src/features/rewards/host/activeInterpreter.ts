/** The interpreter that a person chose in the Python extension, whose API is believed nothing unchecked. */
import * as z from 'zod';

const pathSchema = z.object({ path: z.string() });
const resolvedSchema = z.object({ executable: z.object({ uri: z.object({ fsPath: z.string() }) }) });

/** @param api the extension's exports; @returns null where it has no active interpreter */
export async function activeInterpreter(api: unknown): Promise<string | null> {
  const environments = fieldOf(api, 'environments');
  const active = pathSchema.safeParse(call(environments, 'getActiveEnvironmentPath'));
  if (!active.success) return null;
  const resolved = resolvedSchema.safeParse(await call(environments, 'resolveEnvironment', active.data));
  return resolved.success ? resolved.data.executable.uri.fsPath : null;
}

const fieldOf = (holder: unknown, name: string): unknown =>
  typeof holder === 'object' && holder !== null ? Reflect.get(holder, name) : undefined;

/** Undefined where there is no such method. */
function call(holder: unknown, name: string, ...given: unknown[]): unknown {
  const method = fieldOf(holder, name);
  return typeof method === 'function' ? Reflect.apply(method, holder, given) : undefined;
}
