/** KL caps of the environment, nats per token; null when a cap is off. */
export interface Caps {
  update: number | null;
  total: number | null;
  /** The first epoch with this value, where it was another one before; else null. */
  since: { update: number | null; total: number | null };
}
