package dev.chargehand.testkit;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.json.Json;
import dev.chargehand.model.FinishReason;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.run.Usage;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The answers of the models in a test: for each agent, turn by turn.
 *
 * <p>A turn is one answer. The parts of one turn are joined with {@link #and()}, the next turn starts with {@link
 * #then()}, the turns of another agent with {@link #on}:
 *
 * <pre>{@code
 * ScriptedModel.script()
 *     .on("supervisor").says("I will ask. ").and().delegates("researcher", "Find facts").then().says("Done [1]")
 *     .on("researcher").says("Fact A [1]")
 * }</pre>
 *
 * <p>A turn finishes with {@code TOOL_CALLS} if it makes calls, else with {@code STOP}, and uses 10 input and 5 output
 * tokens, unless the script says otherwise. A model that is called more often than its script has turns, or for which
 * no turn fits, throws a {@link ScriptMismatchException}, which makes its run fail and is remembered: see {@link
 * #assertMatched}.
 *
 * <p>Written by one thread; then any number of runs may play it at once.
 */
public final class Script {

    private final Casting casting = new Casting();
    private @Nullable String agentId;
    private @Nullable Turn turn;
    private boolean joined = true;
    private int calls;
    private volatile boolean responseFormat = true;

    Script() {}

    /** Continue the turns of an agent; its first, or another one after those it has. */
    public Script on(String id) {
        agentId = id;
        turn = null;
        joined = true;
        casting.cast(id);
        return this;
    }

    /** Continue the agent's next turn. */
    public Script then() {
        current("then()");
        turn = null;
        joined = true;
        return this;
    }

    /** Continue the same turn. */
    public Script and() {
        current("and()");
        joined = true;
        return this;
    }

    /** Answer with a text, in one delta. */
    public Script says(String text) {
        if (text == null) {
            throw new ConfigurationException(
                    "says(null): a model says a text; leave says(...) out for a turn without one, such as one that only calls.");
        }
        return add(play -> play.say(List.of(text)));
    }

    /** Answer with a text that arrives in pieces. */
    public Script streams(String... pieces) {
        List<String> copy = List.of(pieces);
        return add(play -> play.say(copy));
    }

    /** Show some reasoning. */
    public Script reasons(String text) {
        return add(play -> play.reason(text));
    }

    /** Delegate to the sub-agent of a key; a mismatch if that sub-agent is not offered. */
    public Script delegates(String key, String prompt) {
        String tool = "agent-" + key;
        add(play -> {
            if (play.request().tools().stream()
                    .noneMatch(offered -> offered.name().equals(tool))) {
                throw casting.mismatch("The script delegates to '" + key + "', but no such sub-agent is offered. "
                        + Casting.describe(play.request()));
            }
        });
        joined = true;
        return calls(tool, Map.of("prompt", prompt));
    }

    /** Call a tool with arguments that have a JSON form. */
    public Script calls(String tool, Map<String, ?> arguments) {
        return callsRaw(tool, Json.of(arguments).text());
    }

    /**
     * Call a tool with arguments written as JSON.
     *
     * @throws dev.chargehand.error.InvalidJsonException if they are not JSON; see {@link #callsRaw} for such
     */
    public Script calls(String tool, String jsonArguments) {
        return callsRaw(tool, Json.parse(jsonArguments).text());
    }

    /** Call a tool with arguments as they are, JSON or not. */
    public Script callsRaw(String tool, String arguments) {
        Turn.Call call = new Turn.Call("c" + ++calls, tool, arguments);
        add(play -> play.call(call.providerId, call.tool, call.fragments));
        current("callsRaw()").calls.add(call);
        return this;
    }

    /** Give the turn's latest call the id that the provider gives it, null for none; {@code c1}, {@code c2} ... */
    public Script withCallId(@Nullable String providerId) {
        latestCall("withCallId()").providerId = providerId;
        return this;
    }

    /** Let the arguments of the turn's latest call arrive in pieces of so many characters. */
    public Script inPiecesOf(int characters) {
        Turn.Call call = latestCall("inPiecesOf()");
        String whole = String.join("", call.fragments);
        call.fragments = IntStream.iterate(0, i -> i < whole.length(), i -> i + characters)
                .mapToObj(i -> whole.substring(i, Math.min(whole.length(), i + characters)))
                .toList();
        return this;
    }

    /** Set why the turn says it ends. */
    public Script finishes(FinishReason reason) {
        current("finishes()").finish = reason;
        return this;
    }

    /** Set the tokens of the turn. */
    public Script uses(Usage usage) {
        current("uses()").usage = usage;
        return this;
    }

    /** Set the tokens of the turn. */
    public Script uses(long inputTokens, long outputTokens) {
        return uses(Usage.of(inputTokens, outputTokens));
    }

    /** Give the turn's answer as a whole, without deltas. */
    public Script withoutDeltas() {
        current("withoutDeltas()").streamed = false;
        return this;
    }

    /** Give the turn's answer to every call from now on. */
    public Script forever() {
        current("forever()").forever = true;
        return this;
    }

    /**
     * Keep the turn for a request whose latest user message contains a text; of several turns, the first that fits is
     * played, so that concurrent delegations to one agent get the turns meant for them.
     */
    public Script whenAsked(String text) {
        return when("the latest user message contains \"" + text + "\"", request -> Casting.asked(request)
                .contains(text));
    }

    /** Keep the turn for requests that fit; {@code what} names the condition in failures. */
    public Script when(String what, Predicate<ModelRequest> condition) {
        Turn current = openTurn();
        current.condition = condition;
        current.conditionText = what;
        return this;
    }

    /** Answer with what a function makes of the request. */
    public Script answers(Function<ModelRequest, ModelResponse> function) {
        add(play -> {});
        current("answers()").computed = function;
        return this;
    }

    /** Fail; in the middle of the answer, if the turn said something before. */
    public Script failsWith(RuntimeException failure) {
        return add(play -> {
            throw failure;
        });
    }

    /** Continue only when the latch is down; a cancelled call ends at once. */
    public Script waitsFor(CountDownLatch latch) {
        return add(play -> Waits.obedient(play, latch));
    }

    /** Say nothing more; a cancelled call ends at once, as with a closed connection. */
    public Script hangs() {
        return waitsFor(new CountDownLatch(1));
    }

    /** Continue only when the latch is down, whether cancelled, interrupted or out of time. */
    public Script hangsUntil(CountDownLatch latch) {
        return add(play -> Waits.deaf(latch));
    }

    /** Do something at this point of the turn; an exception is thrown like one of the model. */
    public Script does(Runnable action) {
        return add(play -> action.run());
    }

    /**
     * Remove the models' response format, so that they receive a requested schema as text; without
     * this, the wanted schema is in {@link ModelRequest#output} only.
     */
    public Script withoutResponseFormat() {
        responseFormat = false;
        return this;
    }

    /** Return the model of an agent; {@link TestRuntime#bind} does this for a whole tree. */
    public Model modelFor(String id) {
        return new ScriptedModel(this, id);
    }

    /** Return whether the script has turns for an agent. */
    public boolean knows(String id) {
        return casting.knows(id);
    }

    /** Return every request, in order. */
    public List<ModelRequest> requests() {
        return casting.asked().stream().map(Casting.Asked::request).toList();
    }

    /** Return the requests to the model of an agent, in order. */
    public List<ModelRequest> requestsOf(String id) {
        return casting.asked().stream()
                .filter(asked -> asked.agentId().equals(id))
                .map(Casting.Asked::request)
                .toList();
    }

    /** Return whose model was called, in the order of {@link #requests}. */
    public List<String> askedAgents() {
        return casting.asked().stream().map(Casting.Asked::agentId).toList();
    }

    /**
     * Check that every called agent had a turn.
     *
     * @throws AssertionError if not; nested runs keep such a failure from their supervisor's model, so look here
     */
    public void assertMatched() {
        casting.assertMatched();
    }

    /**
     * Check that every called agent had a turn, and every turn was played.
     *
     * @throws AssertionError if not
     */
    public void assertExhausted() {
        casting.assertMatched();
        casting.assertPlayed();
    }

    /** Return whether it has turns for an agent; an agent that is tested without is named where its model is called. */
    boolean knowsOrNotes(String id) {
        return casting.knowsOrNotes(id);
    }

    /** Return what to add for a model that has no turns. */
    String whatToAdd() {
        return casting.whatToAdd();
    }

    boolean hasResponseFormat() {
        return responseFormat;
    }

    Turn take(String id, ModelRequest request) {
        return casting.take(id, request);
    }

    ScriptMismatchException mismatch(String message) {
        return casting.mismatch(message);
    }

    private Script add(Play.Action action) {
        if (!joined) {
            throw new IllegalStateException(
                    "Put and() between two parts of one turn of agent '" + agentId + "', or then() between two turns.");
        }
        openTurn().actions.add(action);
        joined = false;
        return this;
    }

    private Turn openTurn() {
        String id = agentId;
        if (id == null) {
            throw new IllegalStateException("A script starts with on(agentId).");
        }
        Turn openTurn = turn;
        if (openTurn == null) {
            openTurn = new Turn();
            turn = openTurn;
            casting.add(id, openTurn);
        }
        return openTurn;
    }

    private Turn current(String what) {
        Turn current = turn;
        if (current == null) {
            throw new IllegalStateException(what + " needs a turn before it, such as says(\"...\").");
        }
        return current;
    }

    private Turn.Call latestCall(String what) {
        List<Turn.Call> made = current(what).calls;
        if (made.isEmpty()) {
            throw new IllegalStateException(what + " needs a call before it, such as calls(\"search\", Map.of()).");
        }
        return made.getLast();
    }
}
