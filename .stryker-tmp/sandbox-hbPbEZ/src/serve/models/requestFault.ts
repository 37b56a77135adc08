/** What is asked cannot be done because of how it is asked; as a failed future: category `user`. */
export class RequestFault extends Error {
  override readonly name = 'RequestFault';
}
