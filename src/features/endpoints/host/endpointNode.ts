import type { User } from '../../../host/servers/usedEndpoints.ts';

export type Role = 'agent' | 'environment';

export type EndpointNode =
  | { readonly kind: 'embedded' | 'capabilities' }
  | { readonly kind: 'model'; readonly role: Role }
  /** A remote server, and its models, by the server's id. */
  | { readonly kind: 'server' | 'served' | 'trouble' | 'permission'; readonly id: string }
  /** An entry of the settings that cannot be used, by its place there. */
  | { readonly kind: 'unusable'; readonly index: number }
  /** The users of `embedded` or a server. */
  | { readonly kind: 'users'; readonly of: string }
  | { readonly kind: 'user'; readonly of: string; readonly user: Pick<User, 'kind' | 'id'> }
  | { readonly kind: 'fact'; readonly of: string; readonly name: string; readonly value: string }
  | { readonly kind: 'failure'; readonly of: string; readonly error: Error };
