// The client of OpenAI for Node.

import assert from 'node:assert/strict';
import OpenAI from 'openai';
import { all, answer, run, untilStatus } from './scenarios.mjs';

const client = (url) => new OpenAI({ baseURL: `${url}/v1`, apiKey: 'none' });
const user = (content) => [{ role: 'user', content }];

await run({
  async modelsAreListedAndFound(url) {
    const models = await all(client(url).models.list());
    assert.ok(models.some((model) => model.id === 'writer' && model.owned_by === 'chargehand'));
    assert.equal((await client(url).models.retrieve('writer')).id, 'writer');
    await assert.rejects(client(url).models.retrieve('nobody'), OpenAI.NotFoundError);
  },

  async aChatIsAnswered(url) {
    const chat = await client(url).chat.completions.create({ model: 'writer', messages: user('Write.') });
    assert.equal(chat.choices[0].message.content, 'One two.');
    assert.equal(chat.choices[0].finish_reason, 'stop');
    assert.equal(chat.usage.total_tokens, 15);
  },

  async aChatIsStreamedWithUsage(url) {
    const stream = client(url).chat.completions.stream({
      model: 'lead',
      messages: user('Write.'),
      stream_options: { include_usage: true },
    });
    const chunks = await all(stream);
    const chat = await stream.finalChatCompletion();
    assert.equal(chat.choices[0].message.content, 'I ask.\n\nAll done.');
    assert.equal(chunks.at(-1).usage.total_tokens, 45);
  },

  async aNetworkGivesItsFinalTextOnly(url) {
    for (const [agent, text] of [['router', 'One two.'], ['host', 'Welcome.']]) {
      const model = `${agent}/network`;
      const chat = await client(url).chat.completions.create({ model, messages: user('Please.') });
      assert.equal(chat.choices[0].message.content, text);
      const chunks = await all(client(url).chat.completions.stream({ model, messages: user('Please.') }));
      const said = chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').filter((part) => part !== '');
      assert.deepEqual(said, [text]);
      const response = await client(url).responses.create({ model: `${model}@talk-${agent}`, input: 'Please.' });
      assert.equal(response.output_text, text);
    }
    await assert.rejects(
      client(url).chat.completions.create({ model: 'nobody/network', messages: user('Please.') }),
      OpenAI.NotFoundError,
    );
  },

  async aSchemaIsParsed(url) {
    const chat = await client(url).chat.completions.parse({
      model: 'shaper',
      messages: user('Shape.'),
      response_format: {
        type: 'json_schema',
        json_schema: {
          name: 'shape',
          schema: { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] },
        },
      },
    });
    assert.deepEqual(JSON.parse(chat.choices[0].message.content), { a: 1 });
  },

  async anErrorInMidStreamIsThrown(url) {
    const stream = await client(url).chat.completions.create({
      model: 'broken',
      messages: user('Write.'),
      stream: true,
    });
    let text = '';
    await assert.rejects(
      async () => {
        for await (const chunk of stream) {
          text += chunk.choices[0]?.delta?.content ?? '';
        }
      },
      (e) => e instanceof OpenAI.APIError && e.code === 'model-authentication',
    );
    assert.ok('Half '.startsWith(text)); // a part that arrives before the reader may be lost with its step
  },

  async aRunThatFailedIsNotRepeated(url) {
    await assert.rejects(
      client(url).chat.completions.create({ model: 'broken', messages: user('Once, please.') }),
      (e) => e.status === 424 && e.error.run_id.startsWith('run_'),
    );
    const { runs } = await (await fetch(`${url}/api/v1/runs?agent=broken`)).json();
    assert.equal(runs.filter((each) => each.firstWords === 'Once, please.').length, 1);
  },

  async aToolOfTheClientIsCalledInAChat(url) {
    const tools = [{ type: 'function', function: { name: 'locate', parameters: { type: 'object' } } }];
    const messages = user('Where?');
    const first = await client(url).chat.completions.create({ model: 'helper', messages, tools });
    assert.equal(first.choices[0].finish_reason, 'tool_calls');
    const [call] = first.choices[0].message.tool_calls;
    assert.deepEqual([call.function.name, JSON.parse(call.function.arguments)], ['locate', { precise: true }]);
    messages.push(first.choices[0].message, { role: 'tool', tool_call_id: call.id, content: 'Rome' });
    const second = await client(url).chat.completions.create({ model: 'helper', messages, tools });
    assert.equal(second.choices[0].message.content, 'You are there.');
    await assert.rejects(client(url).chat.completions.create({ model: 'helper', messages, tools }), OpenAI.ConflictError);
    messages.push(second.choices[0].message, ...user('And now?'));
    const again = await client(url).chat.completions.create({ model: 'helper', messages, tools });
    assert.equal(again.choices[0].finish_reason, 'tool_calls');
  },

  async theClientsOwnLoopCallsItsTool(url) {
    const runner = client(url).chat.completions.runTools({
      model: 'helper',
      messages: user('Where?'),
      stream: true,
      tools: [
        {
          type: 'function',
          function: { name: 'locate', function: () => 'Rome', parse: JSON.parse, parameters: { type: 'object' } },
        },
      ],
    });
    assert.equal(await runner.finalContent(), 'You are there.');
  },

  async aToolOfTheClientIsCalledInAResponse(url) {
    const tools = [{ type: 'function', name: 'locate', parameters: { type: 'object' }, strict: false }];
    const first = await client(url).responses.create({ model: 'helper', input: 'Where?', tools });
    const call = first.output.find((item) => item.type === 'function_call');
    assert.deepEqual([call.name, JSON.parse(call.arguments)], ['locate', { precise: true }]);
    const stream = client(url).responses.stream({
      model: 'helper',
      previous_response_id: first.id,
      input: [{ type: 'function_call_output', call_id: call.call_id, output: 'Rome' }],
      tools,
    });
    assert.equal((await stream.finalResponse()).output_text, 'You are there.');
    const read = await client(url).responses.retrieve(first.id);
    assert.equal(read.status, 'completed');
    assert.deepEqual(read.output.map((item) => item.type), ['function_call', 'message']);
  },

  async toolsOfTheClientAreRejected(url) {
    const tools = [{ type: 'function', function: { name: 'f', parameters: { type: 'object' } } }];
    await assert.rejects(
      client(url).chat.completions.create({ model: 'writer', messages: user('Write.'), tools }),
      (e) => e instanceof OpenAI.BadRequestError && e.param === 'tools',
    );
  },

  async aClientThatLeavesCancelsItsRun(url) {
    const stream = await client(url).chat.completions.create({
      model: 'slow',
      messages: user('Write.'),
      stream: true,
    });
    for await (const chunk of stream) {
      if (chunk.choices[0]?.delta?.content) {
        break;
      }
    }
    await untilStatus(url, 'slow', 'aborted');
  },

  async aWaitingRunIsAnsweredOnTheOwnApi(url) {
    const error = await client(url)
      .chat.completions.create({ model: 'clerk', messages: user('Pay.') })
      .catch((e) => e);
    assert.equal(error.status, 409);
    assert.equal(error.code, 'suspended');
    assert.equal(await answer(url, error.error.approvals[0], 'approve'), 200);
    await untilStatus(url, 'clerk', 'completed');
  },

  async aResponseIsStreamed(url) {
    const stream = client(url).responses.stream({ model: 'lead', input: 'Write.' });
    const events = await all(stream);
    const response = await stream.finalResponse();
    assert.equal(response.status, 'completed');
    assert.equal(response.usage.total_tokens, 45);
    assert.deepEqual(
      response.output.map((item) => item.content[0].text),
      ['I ask.', 'All done.'],
    );
    assert.ok(events.every((event, i) => i === 0 || event.sequence_number > events[i - 1].sequence_number));
    const again = client(url).responses.stream({ response_id: response.id });
    assert.deepEqual((await again.finalResponse()).output, response.output);
  },

  async aResponseIsContinued(url) {
    const first = await client(url).responses.create({ model: 'writer', input: 'Write.', instructions: 'Rhyme.' });
    assert.equal(first.output_text, 'One two.');
    const second = await client(url).responses.create({
      model: 'writer',
      input: 'How many?',
      previous_response_id: first.id,
    });
    assert.equal(second.status, 'completed');
    assert.equal((await client(url).responses.retrieve(second.id)).output_text, 'One two.');
  },

  async aStreamIsResumed(url) {
    const stream = await client(url).responses.create({ model: 'writer', input: 'Write.', stream: true });
    let last;
    for await (const event of stream) {
      last ??= event.type === 'response.output_text.delta' ? event : undefined;
    }
    const id = last.item_id.replace('msg_', 'resp_').replace(/_1$/, '');
    const rest = await all(
      await client(url).responses.retrieve(id, { stream: true, starting_after: last.sequence_number }),
    );
    assert.ok(rest.every((event) => event.sequence_number > last.sequence_number));
    assert.equal(rest.find((event) => event.type === 'response.output_text.done').text, 'One two.');
    assert.equal(rest.at(-1).type, 'response.completed');
  },

  async aResponseInTheBackgroundIsPolledAndCancelled(url) {
    const queued = await client(url).responses.create({ model: 'slow', input: 'Write.', background: true });
    assert.equal(queued.status, 'queued');
    const cancelled = await client(url).responses.cancel(queued.id);
    assert.equal(cancelled.status, 'cancelled');
  },

  async aResponseThatFailsSaysSo(url) {
    const events = await all(
      await client(url).responses.create({ model: 'broken', input: 'Write.', stream: true }),
    );
    assert.equal(events.at(-1).type, 'response.failed');
    assert.equal(events.at(-1).response.error.code, 'model-authentication');
  },
});
