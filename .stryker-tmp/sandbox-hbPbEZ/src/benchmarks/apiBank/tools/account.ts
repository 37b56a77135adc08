/** Accounts, their tokens and what lies in the bank. */
import { allEqual, equalWithNewToken, inForm, stripped } from './judges.ts';
import { ToolFault } from './faults.ts';
import { rowOf, type Tables } from './tables.ts';
import { maybe, text, whole, type Tool } from './tool.ts';

/** The name of the user that a token belongs to. @throws ToolFault */
export function userOf(token: string, { Account }: Tables): string {
  for (const [username, account] of Object.entries(Account)) if (account.token === token) return username;
  throw new ToolFault('The token is invalid.');
}

const accountOf = (username: string, { Account }: Tables): Tables['Account'][string] => {
  const account = rowOf(Account, username);
  if (account === undefined) throw new ToolFault('The username does not exist.');
  return account;
};

export const accountTools = {
  CheckToken: {
    parameters: { token: text },
    call: (given, tables) => ({ username: userOf(given.text('token'), tables) }),
    judge: allEqual,
  },
  GetUserToken: {
    parameters: { username: text, password: text },
    call(given, tables) {
      const account = accountOf(given.text('username'), tables);
      if (account.password !== given.text('password')) throw new ToolFault('The password is incorrect.');
      return { token: account.token };
    },
    judge: allEqual,
  },
  RegisterUser: {
    parameters: { username: text, password: text, email: text },
    call(given, { Account }) {
      if (rowOf(Account, given.text('username')) !== undefined) throw new ToolFault('The username already exists.');
      // Random in the official program, and not compared.
      return { token: 'new' };
    },
    judge: equalWithNewToken,
  },
  DeleteAccount: {
    parameters: { token: text },
    call(given, tables) {
      userOf(given.text('token'), tables);
      return { status: 'success' };
    },
    judge: allEqual,
  },
  ModifyPassword: {
    parameters: { token: text, old_password: text, new_password: text },
    call(given, tables) {
      const account = accountOf(userOf(given.text('token'), tables), tables);
      if (account.password !== given.text('old_password')) throw new ToolFault('The old password is incorrect.');
      return { status: 'success' };
    },
    judge: allEqual,
  },
  ForgotPassword: {
    parameters: {
      status: text,
      username: maybe(text),
      email: maybe(text),
      verification_code: maybe(whole),
      new_password: maybe(text),
    },
    call(given, tables) {
      const status = given.text('status');
      if (status === 'Verification Code') {
        // Every call meets the tool fresh: there was no first one.
        throw new ToolFault("You need to call the API with status 'Forgot Password' at first.");
      }
      if (status !== 'Forgot Password') {
        throw new ToolFault("The status is only 'Forgot Password' or 'Verification Code'.");
      }
      const [username, email] = [given.maybeText('username'), given.maybeText('email')];
      if (username === null || email === null) {
        throw new ToolFault('The username and email are required for the first call.');
      }
      if (accountOf(username, tables).email !== email) throw new ToolFault('The email is incorrect.');
      return 970420;
    },
    judge: allEqual,
  },
  OpenBankAccount: {
    parameters: { account: text, password: text, name: text },
    // One account is known to it.
    call: (given) => (given.text('account') === 'test' ? 'failed' : 'success'),
    judge: allEqual,
  },
  QueryBalance: {
    parameters: { token: text },
    call(given, tables) {
      const row = rowOf(tables.Bank, bankUser(given.text('token'), tables));
      if (row === undefined) throw new ToolFault('The user does not have an account.');
      return row.balance;
    },
    judge: inForm({ token: stripped }),
  },
} satisfies Record<string, Tool>;

function bankUser(token: string, tables: Tables): string {
  try {
    return userOf(token, tables);
  } catch (error) {
    if (!(error instanceof ToolFault)) throw error;
    throw new ToolFault('The token is incorrect.');
  }
}
