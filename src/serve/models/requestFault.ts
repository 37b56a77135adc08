/** A fault in the request itself; as a failed future: category `user`. */
export class RequestFault extends Error {
  override readonly name = 'RequestFault';
}
