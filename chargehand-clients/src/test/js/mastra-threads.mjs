// Mastra's client for JavaScript: threads that are followed, and what is said on them.

import assert from 'node:assert/strict';
import { agentOf, of, textOf } from './mastra-client.mjs';
import { run, until } from './scenarios.mjs';

/** Follows a thread: its chunks are added to a list as they arrive. */
async function follow(agent, thread, reconnect) {
  const subscription = await agent.subscribeToThread(thread);
  const chunks = [];
  const done = subscription.processDataStream({
    onChunk: async (chunk) => {
      chunks.push(chunk);
    },
    reconnect,
  });
  return { chunks, subscription, done };
}

const place = (threadId) => ({ threadId, resourceId: 'ann' });
const has = (chunks, type, runId) => chunks.some((chunk) => chunk.type === type && chunk.runId === runId);
const ofRun = (chunks, runId) => chunks.filter((chunk) => chunk.runId === runId);

await run({
  async aThreadIsFollowedWhileMessagesAreSent(url) {
    const agent = agentOf(url, 'writer');
    const { chunks, subscription, done } = await follow(agent, place('followed'));
    for (const message of ['Please.', [{ type: 'text', text: 'Again.' }], { contents: 'More.' }]) {
      const { accepted, runId } = await agent.sendMessage({ message, ...place('followed') });
      assert.equal(accepted, true);
      await until(() => has(chunks, 'finish', runId));
      assert.equal(textOf(ofRun(chunks, runId)), 'One two.');
    }
    assert.equal(of(chunks, 'start').length, 3);
    subscription.unsubscribe();
    await done;
  },

  async aMessageReachesTheRunThatIsExecutedAndTheThreadEndsIt(url) {
    const agent = agentOf(url, 'slow');
    const { chunks, subscription, done } = await follow(agent, place('slow'));
    const { runId } = await agent.sendMessage({ message: 'Please.', ...place('slow') });
    await until(() => has(chunks, 'text-delta', runId));
    assert.equal((await agent.sendMessage({ message: 'Now.', ...place('slow') })).runId, runId);
    assert.equal((await agent.sendMessage({ message: 'Now.', runId })).runId, runId);
    assert.deepEqual(await agent.abortThread({ ...place('slow'), expectedRunId: 'other' }), { aborted: false });
    assert.equal(await subscription.abort(), true);
    await until(() => has(chunks, 'abort', runId));
    subscription.unsubscribe();
    await done;
  },

  async aQueuedMessageIsTheNextRun(url) {
    const agent = agentOf(url, 'slow');
    const { chunks, subscription, done } = await follow(agent, place('queued'));
    const first = await agent.queueMessage({ message: 'One.', ...place('queued') });
    await until(() => has(chunks, 'text-delta', first.runId));
    const second = await agent.queueMessage({ message: 'Two.', ...place('queued') });
    assert.notEqual(second.runId, first.runId);
    assert.equal(has(chunks, 'start', second.runId), false);
    await agent.abortThread({ ...place('queued'), expectedRunId: first.runId });
    await until(() => has(chunks, 'text-delta', second.runId));
    await agent.abortThread(place('queued'));
    await until(() => has(chunks, 'abort', second.runId));
    subscription.unsubscribe();
    await done;
  },

  async anApprovalContinuesTheRunInTheSameStream(url) {
    const agent = agentOf(url, 'clerk');
    const { chunks, subscription, done } = await follow(agent, place('paid'));
    const { runId } = await agent.sendMessage({ message: 'Pay.', ...place('paid') });
    await until(() => has(chunks, 'tool-call-approval', runId));
    const [{ toolCallId }] = of(chunks, 'tool-call-approval');
    const answer = await agent.sendToolApproval({ ...place('paid'), toolCallId, approved: true });
    assert.deepEqual(answer, { accepted: true, runId, toolCallId });
    await until(() => has(chunks, 'finish', runId));
    assert.equal(textOf(ofRun(chunks, runId)), 'Paid.');
    subscription.unsubscribe();
    await done;
  },

  async aToolOfTheClientIsExecutedByItself(url) {
    const agent = agentOf(url, 'helper');
    const { chunks, subscription, done } = await follow(agent, place('tools'));
    const asked = [];
    const clientTools = {
      locate: {
        id: 'locate',
        description: 'Locates the user.',
        inputSchema: { type: 'object', properties: { precise: { type: 'boolean' } } },
        execute: async (input) => {
          asked.push(input);
          return { city: 'Rome' };
        },
      },
    };
    const { runId } = await agent.sendMessage({
      message: 'Where am I?',
      ...place('tools'),
      ifIdle: { streamOptions: { clientTools } },
    });
    await until(() => textOf(ofRun(chunks, runId)) === 'You are there.');
    assert.deepEqual(asked, [{ precise: true }]);
    subscription.unsubscribe();
    await done;
  },

  async aToolOfTheClientIsExecutedAfterOthersAndApprovesNone(url) {
    const agent = agentOf(url, 'scout');
    const { chunks, subscription, done } = await follow(agent, place('scouted'));
    const asked = [];
    const execute = async (input) => {
      asked.push(input);
      return { city: 'Rome' };
    };
    const { runId } = await agent.sendMessage({
      message: 'Pay where I am.',
      ...place('scouted'),
      ifIdle: { streamOptions: { clientTools: { locate: { id: 'locate', description: 'Locates the user.', execute } } } },
    });
    await until(() => asked.length === 1 && has(chunks, 'tool-call-approval', runId));
    const [{ toolCallId }] = of(chunks, 'tool-call-approval');
    await agent.sendToolApproval({ ...place('scouted'), toolCallId, approved: false });
    await until(() => textOf(ofRun(chunks, runId)) === 'Done.');
    assert.equal(asked.length, 1);
    assert.equal(of(chunks, 'tool-output-denied').length, 1);
    subscription.unsubscribe();
    await done;
  },

  async aClientThatConnectsAgainGetsTheRunThatIsExecuted(url) {
    const agent = agentOf(url, 'slow');
    const one = await follow(agent, place('again'));
    const { runId } = await agent.sendMessage({ message: 'Please.', ...place('again') });
    await until(() => has(one.chunks, 'text-delta', runId));
    one.subscription.unsubscribe();
    await one.done;
    const two = await follow(agent, place('again'), { maxRetries: 1, delayMs: 10 });
    await until(() => has(two.chunks, 'start', runId));
    assert.equal(await two.subscription.abort(), true);
    await until(() => has(two.chunks, 'abort', runId));
    two.subscription.unsubscribe();
    await two.done;
    const three = await follow(agent, place('again'));
    assert.deepEqual(await agent.abortThread(place('again')), { aborted: false });
    assert.deepEqual(three.chunks, []);
    three.subscription.unsubscribe();
    await three.done;
  },

  async aSignalOfAUserIsAMessageAndOthersAreRejected(url) {
    const agent = agentOf(url, 'writer');
    const { chunks, subscription, done } = await follow(agent, place('signals'));
    const { runId } = await agent.sendSignal({ signal: { type: 'user', contents: 'Please.' }, ...place('signals') });
    await until(() => has(chunks, 'finish', runId));
    const rejected = [
      () => agent.sendSignal({ signal: { type: 'reactive', contents: 'Hm.' }, ...place('signals') }),
      () => agent.sendMessage({ message: { contents: 'Hm.', attributes: { name: 'Ann' } }, ...place('signals') }),
      () => agent.sendMessage({ message: 'Hm.', ...place('signals'), ifIdle: { behavior: 'persist' } }),
    ];
    for (const call of rejected) {
      await assert.rejects(call(), (e) => e.status === 400, String(call));
    }
    subscription.unsubscribe();
    await done;
  },
});
