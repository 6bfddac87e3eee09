// The client of OpenAI for Node: requests that are repeated, and what it reads of answers besides their texts.

import assert from 'node:assert/strict';
import OpenAI from 'openai';
import { ChatCompletionStream } from 'openai/lib/ChatCompletionStream';
import { all, own, run } from './scenarios.mjs';

const client = (url, more) => new OpenAI({ baseURL: `${url}/v1`, apiKey: 'none', ...more });
const user = (content) => [{ role: 'user', content }];
let keys = 0;
const keyed = () => ({ headers: { 'Idempotency-Key': `key-${process.pid}-${Date.now()}-${++keys}` } });
const isRepeated = (response) => response.headers.get('idempotency-replayed') === 'true';

await run({
  async anAnswerSaysThatItsRequestWasRepeated(url) {
    const { chat, responses } = client(url);
    const bodies = [
      (options) => chat.completions.create({ model: 'writer', messages: user('Write.') }, options),
      (options) => chat.completions.create({ model: 'writer', messages: user('Write.'), stream: true }, options),
      (options) => responses.create({ model: 'writer', input: 'Write.' }, options),
      (options) => responses.create({ model: 'writer', input: 'Write.', stream: true }, options),
      (options) => responses.create({ model: 'writer', input: 'Write.', background: true }, options),
    ];
    for (const send of bodies) {
      const key = keyed();
      const answers = [];
      for (const repeated of [false, true]) {
        const { data, response } = await send(key).withResponse();
        assert.equal(isRepeated(response), repeated, String(send));
        const [first] = data.id ? [data] : await all(data);
        answers.push(first.response?.id ?? first.id);
      }
      assert.equal(answers[0], answers[1]);
    }
  },

  async aRequestWhoseAnswerWasLostIsOneRun(url) {
    let lost = 0;
    const fetchOnce = async (...request) => {
      const response = await fetch(...request);
      if (lost++ === 0) {
        await response.text();
        throw new TypeError('The connection was lost.');
      }
      return response;
    };
    const question = `Once, please: ${process.pid}-${Date.now()}`;
    const { data, response } = await client(url, { fetch: fetchOnce })
      .chat.completions.create({ model: 'writer', messages: user(question) }, keyed())
      .withResponse();
    assert.equal(data.choices[0].message.content, 'One two.');
    assert.deepEqual([lost, isRepeated(response)], [2, true]);
    const { runs } = await own(url, 'runs?agent=writer&limit=20');
    assert.equal(runs.filter((each) => each.firstWords === question).length, 1);
  },

  async aKeyIsOfOneBody(url) {
    const key = keyed();
    const { completions } = client(url).chat;
    await completions.create({ model: 'writer', messages: user('Write.') }, key);
    await assert.rejects(
      completions.create({ model: 'writer', messages: user('Write more.') }, key),
      (e) => e instanceof OpenAI.UnprocessableEntityError && e.code === 'idempotency-mismatch',
    );
  },

  async aResponseHasTheFieldsThatTheClientDeclares(url) {
    const { responses } = client(url);
    const made = await responses.create({ model: 'writer', input: 'Write.' });
    const read = await responses.retrieve(made.id);
    const queued = await responses.create({ model: 'writer', input: 'Write.', background: true });
    const events = await all(await responses.create({ model: 'writer', input: 'Write.', stream: true }));
    for (const each of [made, read, queued, events[0].response, events.at(-1).response]) {
      for (const name of ['access_programs', 'incomplete_details', 'instructions', 'temperature', 'top_p', 'error']) {
        assert.equal(each[name], null, name);
      }
      assert.ok(Array.isArray(each.output) && Array.isArray(each.tools) && each.created_at > 0);
    }
  },

  async aStreamOfAChatIsPassedOnAndSplit(url) {
    const body = { model: 'lead', messages: user('Write.') };
    const stream = client(url).chat.completions.stream({ ...body, stream_options: { include_usage: true } });
    const again = ChatCompletionStream.fromReadableStream(stream.toReadableStream());
    assert.equal(await again.finalContent(), 'I ask.\n\nAll done.');
    assert.equal((await again.totalUsage()).total_tokens, 45);
    const [one, two] = (await client(url).chat.completions.create({ ...body, stream: true })).tee();
    const [first, second] = await Promise.all([all(one), all(two)]);
    assert.deepEqual(first, second);
    assert.equal(first.filter((chunk) => chunk.choices[0].finish_reason === 'stop').length, 1);
  },

  async aResponseIsContinuedTwice(url) {
    const openai = client(url);
    const first = await openai.responses.create({ model: 'writer', input: 'A' });
    const ask = (input) => openai.responses.create({ model: 'writer', input, previous_response_id: first.id });
    const threads = [];
    for (const response of [await ask('B'), await ask('C')]) {
      const { thread } = await own(url, `runs/${response.id.replace('resp_', '')}`);
      const { messages } = await own(url, `threads/${thread}/messages`);
      threads.push(messages.map((message) => message.text));
    }
    assert.deepEqual(threads, [['A', 'One two.', 'B', 'One two.'], ['A', 'One two.', 'C', 'One two.']]);
  },

  async aConversationIsMadeAndContinued(url) {
    const { conversations, responses } = client(url);
    const made = await conversations.create({ metadata: { topic: 'letters' }, items: user('Before.') });
    assert.deepEqual([made.object, made.metadata], ['conversation', { topic: 'letters' }]);
    const response = await responses.create({ model: 'writer', conversation: made.id, input: 'Write.' });
    assert.equal(response.conversation.id, made.id);
    const items = await all(conversations.items.list(made.id, { order: 'asc', limit: 2 }));
    assert.deepEqual(items.map((item) => item.content[0].text), ['Before.', 'Write.', 'One two.']);
    assert.equal((await conversations.items.retrieve(items[0].id, { conversation_id: made.id })).role, 'user');
    assert.equal((await conversations.items.create(made.id, { items: user('After.') })).data.length, 1);
    assert.equal((await conversations.items.delete(items[0].id, { conversation_id: made.id })).id, made.id);
    assert.deepEqual((await conversations.update(made.id, { metadata: { a: 'b' } })).metadata, { a: 'b' });
    assert.deepEqual(await conversations.retrieve(made.id), { ...made, metadata: { a: 'b' } });
    assert.equal((await conversations.delete(made.id)).deleted, true);
    await assert.rejects(conversations.retrieve(made.id), { status: 404, code: 'thread-unknown' });
  },

  async anImageAndAnAnswerByItsItemAreInput(url) {
    const { chat, responses } = client(url);
    const image = 'data:image/png;base64,iVBORw0KGgo=';
    const shown = [{ type: 'text', text: 'What is it?' }, { type: 'image_url', image_url: { url: image } }];
    const answer = await chat.completions.create({ model: 'writer', messages: user(shown) });
    assert.equal(answer.choices[0].message.content, 'One two.');
    const input = user([{ type: 'input_image', image_url: image, detail: 'auto' }]);
    const include = ['reasoning.encrypted_content'];
    const first = await responses.create({ model: 'writer', input, include });
    const { data } = await responses.inputItems.list(first.id);
    assert.equal(data[0].content[0].image_url, image);
    const again = [...input, { type: 'item_reference', id: first.output[0].id }, ...user('And then?')];
    assert.equal((await responses.create({ model: 'writer', input: again })).output_text, 'One two.');
  },
});
