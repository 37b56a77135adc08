import { append } from '../../../../shared/append.ts';
import { binary } from '../../python/arithmetic.ts';
import { isTrue } from '../../python/evaluate.ts';
import { PythonFault } from '../../python/fault.ts';
import { str } from '../../python/text/repr.ts';
import { Dict, equal, isIn, kindOf, type Value } from '../../python/value.ts';
import { failure, lower, member, object, type Api, type Method, type Surroundings } from '../api.ts';
import { dictOf, listOf, valueOf } from '../scenario.ts';
import { elements, int } from '../values.ts';

/** Tweets, comments and followers. */
export class TwitterApi implements Api {
  readonly #username: Value;
  readonly #password: Value;
  #authenticated: Value;
  readonly #tweets: Dict;
  readonly #comments: Dict;
  readonly #retweets: Dict;
  readonly #following: Value[];
  #counter: Value;
  readonly methods: Record<string, Method>;

  constructor(scenario: Dict, { defaults }: Surroundings) {
    this.#username = valueOf(scenario, 'username', 'john');
    this.#password = valueOf(scenario, 'password', 'john123');
    this.#authenticated = valueOf(scenario, 'authenticated', false);
    this.#tweets = Dict.of(Array.from(dictOf(scenario, 'tweets', {}), ([id, tweet]) => [int(id), tweet]));
    this.#comments = dictOf(scenario, 'comments', {});
    this.#retweets = dictOf(scenario, 'retweets', {});
    this.#following = listOf(scenario, 'following_list', ['alice', 'bob']);
    this.#counter = valueOf(scenario, 'tweet_counter', 0n);
    this.methods = this.#methods(defaults);
  }

  state(): Record<string, Value> {
    return {
      username: this.#username,
      password: this.#password,
      authenticated: this.#authenticated,
      tweets: this.#tweets,
      comments: this.#comments,
      retweets: this.#retweets,
      following_list: this.#following,
      tweet_counter: this.#counter,
    };
  }

  #methods(defaults: Surroundings['defaults']): Record<string, Method> {
    return {
      authenticate_twitter: {
        parameters: ['username', 'password'],
        run: (given) => {
          const fits = equal(given('username'), this.#username) && equal(given('password'), this.#password);
          if (fits) this.#authenticated = true;
          return object({ authentication_status: fits });
        },
      },
      posting_get_login_status: { parameters: [], run: () => object({ login_status: isTrue(this.#authenticated) }) },
      post_tweet: {
        parameters: ['content', ['tags', defaults.tags], ['mentions', defaults.mentions]],
        run: (given) => this.#post(given('content'), given('tags'), given('mentions')),
      },
      retweet: { parameters: ['tweet_id'], run: (given) => this.#retweet(given('tweet_id')) },
      comment: {
        parameters: ['tweet_id', 'comment_content'],
        run: (given) => this.#comment(given('tweet_id'), given('comment_content')),
      },
      mention: {
        parameters: ['tweet_id', 'mentioned_usernames'],
        run: (given) => this.#mention(given('tweet_id'), given('mentioned_usernames')),
      },
      follow_user: {
        parameters: ['username_to_follow'],
        run: (given) => this.#signedIn('following', () => this.#follow(given('username_to_follow'))),
      },
      list_all_following: {
        parameters: [],
        run: () => this.#signedIn('listing following', () => object({ following_list: this.#following })),
      },
      unfollow_user: {
        parameters: ['username_to_unfollow'],
        run: (given) => this.#signedIn('unfollowing', () => this.#unfollow(given('username_to_unfollow'))),
      },
      get_tweet: {
        parameters: ['tweet_id'],
        run: (given) => this.#tweets.get(given('tweet_id')) ?? notFound(given('tweet_id')),
      },
      get_user_tweets: {
        parameters: ['username'],
        run: (given) => this.#tweets.values().filter((tweet) => equal(member(tweet, 'username'), given('username'))),
      },
      search_tweets: { parameters: ['keyword'], run: (given) => this.#search(given('keyword')) },
      get_tweet_comments: {
        parameters: ['tweet_id'],
        run: (given) => {
          if (!this.#tweets.has(given('tweet_id'))) return notFound(given('tweet_id'));
          return this.#comments.get(given('tweet_id')) ?? [];
        },
      },
      get_user_stats: { parameters: ['username'], run: (given) => this.#stats(given('username')) },
    };
  }

  #signedIn(doing: string, act: () => Value): Value {
    return isTrue(this.#authenticated)
      ? act()
      : failure(`User not authenticated. Please authenticate before ${doing}.`);
  }

  #post(content: Value, tags: Value, mentions: Value): Value {
    return this.#signedIn('posting', () => {
      const tweet = object({ id: this.#counter, username: this.#username, content, tags, mentions });
      this.#tweets.set(this.#counter, tweet);
      this.#counter = binary('+', this.#counter, 1n);
      return tweet;
    });
  }

  #retweet(id: Value): Value {
    return this.#signedIn('retweeting', () => {
      if (!this.#tweets.has(id)) return notFound(id);
      const known = this.#listAt(this.#retweets, this.#username);
      if (isIn(id, known)) return object({ retweet_status: 'Already retweeted' });
      known.push(id);
      return object({ retweet_status: 'Successfully retweeted' });
    });
  }

  #comment(id: Value, content: Value): Value {
    return this.#signedIn('commenting', () => {
      if (!this.#tweets.has(id)) return notFound(id);
      this.#listAt(this.#comments, id).push(object({ username: this.#username, content }));
      return object({ comment_status: 'Comment added successfully' });
    });
  }

  /** The list under a key, begun where there is none. */
  #listAt(dict: Dict, key: Value): Value[] {
    const known = dict.get(key);
    if (Array.isArray(known)) return known;
    if (known !== undefined) throw new PythonFault('value', `'${kindOf(known)}' object has no attribute 'append'`);
    const begun: Value[] = [];
    dict.set(key, begun);
    return begun;
  }

  #mention(id: Value, users: Value): Value {
    const tweet = this.#tweets.get(id);
    if (tweet === undefined) return notFound(id);
    const mentions = member(tweet, 'mentions');
    if (!Array.isArray(mentions))
      throw new PythonFault('value', `'${kindOf(mentions)}' object has no attribute 'extend'`);
    append(mentions, elements(users));
    return object({ mention_status: 'Users mentioned successfully' });
  }

  #follow(user: Value): Value {
    if (isIn(user, this.#following)) return object({ follow_status: false });
    this.#following.push(user);
    return object({ follow_status: true });
  }

  #unfollow(user: Value): Value {
    const at = this.#following.findIndex((one) => equal(one, user));
    if (at === -1) return object({ unfollow_status: false });
    this.#following.splice(at, 1);
    return object({ unfollow_status: true });
  }

  #search(keyword: Value): Value {
    const wanted = lower(keyword);
    return this.#tweets
      .values()
      .filter(
        (tweet) =>
          lower(member(tweet, 'content')).includes(wanted) ||
          elements(member(tweet, 'tags')).map(lower).includes(wanted),
      );
  }

  #stats(username: Value): Value {
    const tweets = this.#tweets.values().filter((tweet) => equal(member(tweet, 'username'), username)).length;
    const following = equal(username, this.#username) ? this.#following.length : 0;
    const retweets = elements(this.#retweets.get(username) ?? []).length;
    return object({
      tweet_count: BigInt(tweets),
      following_count: BigInt(following),
      retweet_count: BigInt(retweets),
    });
  }
}

const notFound = (id: Value): Value => failure(`Tweet with ID ${str(id)} not found.`);
