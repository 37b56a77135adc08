import { isTrue } from '../../python/evaluate.ts';
import { PythonFault } from '../../python/fault.ts';
import { str } from '../../python/text/repr.ts';
import { Dict, equal, isIn, type Value } from '../../python/value.ts';
import { binary } from '../../python/arithmetic.ts';
import { failure, lower, object, type Api, type Method } from '../api.ts';
import { PythonRandom } from './pythonRandom.ts';
import { dictOf, listOf, valueOf, seedOf } from '../scenario.ts';

/** Messages among the users of a workspace. */
export class MessageApi implements Api {
  readonly #random: PythonRandom;
  readonly #ids: Value[];
  #userCount: Value;
  readonly #users: Dict;
  readonly #inbox: Value[];
  #messageCount: Value;
  #user: Value;

  constructor(scenario: Dict) {
    this.#random = new PythonRandom(seedOf(scenario, 200191n));
    this.#ids = listOf(scenario, 'generated_ids', []);
    this.#userCount = valueOf(scenario, 'user_count', 4n);
    this.#users = dictOf(scenario, 'user_map', {
      Alice: 'USR001',
      Bob: 'USR002',
      Catherine: 'USR003',
      Daniel: 'USR004',
    });
    this.#inbox = listOf(scenario, 'inbox', [
      object({ USR002: 'My name is Alice. I want to connect.' }),
      object({ USR003: 'Could you upload the file?' }),
      object({ USR004: 'Could you upload the file?' }),
    ]);
    this.#messageCount = valueOf(scenario, 'message_count', 3n);
    this.#user = valueOf(scenario, 'current_user', null);
  }

  state(): Record<string, Value> {
    return {
      generated_ids: Dict.of(this.#ids.map((id) => [id, null])),
      user_count: this.#userCount,
      user_map: this.#users,
      inbox: this.#inbox,
      message_count: this.#messageCount,
      current_user: this.#user,
    };
  }

  readonly methods: Record<string, Method> = {
    list_users: { parameters: [], run: () => object({ user_list: this.#users.keys() }) },
    get_user_id: { parameters: ['user'], run: (given) => this.#userId(given('user')) },
    message_login: { parameters: ['user_id'], run: (given) => this.#logIn(given('user_id')) },
    message_get_login_status: { parameters: [], run: () => object({ login_status: isTrue(this.#user) }) },
    send_message: {
      parameters: ['receiver_id', 'message'],
      run: (given) => this.#loggedIn(() => this.#send(given('receiver_id'), given('message'))),
    },
    delete_message: {
      parameters: ['receiver_id'],
      run: (given) => this.#loggedIn(() => this.#delete(given('receiver_id'))),
    },
    view_messages_sent: { parameters: [], run: () => this.#loggedIn(() => this.#sent()) },
    add_contact: { parameters: ['user_name'], run: (given) => this.#add(given('user_name')) },
    search_messages: { parameters: ['keyword'], run: (given) => this.#loggedIn(() => this.#search(given('keyword'))) },
    get_message_stats: { parameters: [], run: () => this.#loggedIn(() => this.#stats()) },
  };

  #loggedIn(act: () => Value): Value {
    return isTrue(this.#user) ? act() : failure('No user is currently logged in.');
  }

  #userId(user: Value): Value {
    const id = this.#users.get(user);
    return id === undefined ? failure(`User '${str(user)}' not found in the workspace.`) : object({ user_id: id });
  }

  #logIn(id: Value): Value {
    if (!isIn(id, this.#users.values())) {
      return object({ login_status: false, message: `User ID '${str(id)}' not found.` });
    }
    this.#user = id;
    return object({ login_status: true, message: `User '${str(id)}' logged in successfully.` });
  }

  #send(receiver: Value, message: Value): Value {
    if (!isIn(receiver, this.#users.values())) return failure(`Receiver ID '${str(receiver)}' not found.`);
    let id = this.#random.int(10000n, 99999n);
    while (isIn(id, this.#ids)) id = this.#random.int(10000n, 99999n);
    this.#ids.push(id);
    this.#inbox.push(Dict.of([[receiver, message]]));
    this.#messageCount = binary('+', this.#messageCount, 1n);
    return object({
      sent_status: true,
      message_id: object({ new_id: id }),
      message: `Message sent to '${str(receiver)}' successfully.`,
    });
  }

  #messages(): [receiver: Value, content: Value][] {
    return this.#inbox.map((message) => {
      const [first] = message instanceof Dict ? message : [];
      if (first === undefined) throw new PythonFault('value', 'list index out of range');
      return first;
    });
  }

  #delete(receiver: Value): Value {
    const at = this.#messages().findLastIndex(([to]) => equal(to, receiver));
    const found = this.#inbox[at];
    if (found === undefined) return failure(`Receiver ID ${str(receiver)} not found.`);
    // The first message that is the same is what goes.
    this.#inbox.splice(
      this.#inbox.findIndex((message) => equal(message, found)),
      1,
    );
    return object({
      deleted_status: true,
      receiver_id: this.#messagesKey(found),
      message: `Receiver ${str(receiver)}'s latest message deleted successfully.`,
    });
  }

  #messagesKey(message: Value): Value {
    return (message instanceof Dict ? message.keys()[0] : undefined) ?? null;
  }

  #sent(): Value {
    const messages = new Dict();
    for (const [receiver, content] of this.#messages()) {
      const known = messages.get(receiver);
      if (Array.isArray(known)) known.push(content);
      else messages.set(receiver, [content]);
    }
    return object({ messages });
  }

  #add(name: Value): Value {
    if (this.#users.has(name)) return failure(`User name '${str(name)}' already exists.`);
    this.#userCount = binary('+', this.#userCount, 1n);
    const id = `USR${str(this.#userCount).padStart(3, '0')}`;
    if (isIn(id, this.#users.values())) return failure(`User ID '${id}' already exists.`);
    this.#users.set(name, id);
    return object({ added_status: true, user_id: id, message: `Contact '${str(name)}' added successfully.` });
  }

  #search(keyword: Value): Value {
    const wanted = lower(keyword);
    const results = this.#messages()
      .filter(([, content]) => lower(content).includes(wanted))
      .map(([receiver, content]) => object({ receiver_id: receiver, message: content }));
    return object({ results });
  }

  #stats(): Value {
    const receivers = Dict.of(this.#messages().map(([receiver]) => [receiver, null]));
    return object({
      stats: object({ received_count: BigInt(this.#inbox.length), total_contacts: BigInt(receivers.size) }),
    });
  }
}
