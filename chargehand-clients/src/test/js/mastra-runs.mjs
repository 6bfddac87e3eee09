// Mastra's client for JavaScript: runs under ids of the client, and calls that it forces.

import assert from 'node:assert/strict';
import { agentOf, chunksOf, of, textOf } from './mastra-client.mjs';
import { run } from './scenarios.mjs';

let ids = 0;
const newId = () => `mine-${process.pid}-${Date.now()}-${++ids}`;
const memory = { thread: 'runs', resource: 'ann' };

await run({
  async aRunIsObservedUnderTheIdOfTheClient(url) {
    const runId = newId();
    const agent = agentOf(url, 'writer');
    const chunks = await chunksOf(await agent.stream('Please.', { runId, memory }));
    const again = await chunksOf(await agent.observe({ runId }));
    assert.equal(textOf(again), 'One two.');
    assert.equal(again[0].runId, chunks[0].runId);
    await assert.rejects(agentOf(url, 'cook').observe({ runId }), { status: 404 });
    await assert.rejects(agent.observe({ runId: newId() }), { status: 404 });
    await assert.rejects(agent.observe({ runId: 'x\u00e9'.repeat(200) }), { status: 404 });
  },

  async callsAreAnsweredUnderTheIdOfTheClient(url) {
    const agent = agentOf(url, 'clerk');
    for (const start of ['stream', 'generate']) {
      const runId = newId();
      const answer = await agent[start]('Please.', { runId });
      const toolCallId =
        start === 'stream'
          ? of(await chunksOf(answer), 'tool-call-approval')[0].toolCallId
          : answer.suspendPayload.toolCallId;
      assert.equal(textOf(await chunksOf(await agent.approveToolCall({ runId, toolCallId }))), 'Paid.');
    }
    const runId = newId();
    await chunksOf(await agent.stream('Please.', { runId }));
    assert.equal((await agent.declineToolCallGenerate({ runId })).text, 'Paid.');
    const form = newId();
    await chunksOf(await agentOf(url, 'form').stream('Please.', { runId: form }));
    const rest = await agentOf(url, 'form').resumeStream({ street: 'Via Appia' }, { runId: form });
    assert.equal(of(await chunksOf(rest), 'tool-result')[0].result, 'sent to Via Appia');
  },

  async aNetworkIsObservedAndAnsweredUnderTheIdOfTheClient(url) {
    const runId = newId();
    const agent = agentOf(url, 'cashier');
    await chunksOf(await agent.network('Please.', { runId }));
    const rest = await chunksOf(await agent.approveNetworkToolCall({ runId }));
    assert.ok(rest.some((chunk) => chunk.type === 'network-execution-event-finish'));
    assert.ok((await chunksOf(await agent.observe({ runId }))).length > 0);
  },

  async aCallIsForced(url) {
    const clientTools = {
      locate: { id: 'locate', description: 'Locates.', inputSchema: { type: 'object' }, execute: async () => 'Rome' },
    };
    for (const toolChoice of ['required', { type: 'tool', toolName: 'locate' }]) {
      const answer = await agentOf(url, 'helper').generate('Where?', { clientTools, toolChoice });
      assert.equal(answer.text, 'You are there.'); // the choice is of the first step
    }
    const rejected = agentOf(url, 'helper').generate('Where?', { clientTools, toolChoice: { type: 'tool', toolName: 'f' } });
    await assert.rejects(rejected, /toolChoice\.toolName/);
  },
});
