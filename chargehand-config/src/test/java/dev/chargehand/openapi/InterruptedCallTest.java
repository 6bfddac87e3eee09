package dev.chargehand.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.RunFailedException;
import dev.chargehand.RunResult;
import dev.chargehand.model.FinishReason;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.run.RunId;
import dev.chargehand.run.Usage;
import dev.chargehand.spi.IdSource;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.FaultyStore;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.testkit.http.LoopbackServer;
import dev.chargehand.tool.Tool;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What becomes of calls of an HTTP API when the process dies between any two facts, and the run is taken up again. */
class InterruptedCallTest extends WithApi {

    private static final String KEY = "idempotencyHeader: Idempotency-Key\napproval: false\n";

    /** Each time a run is interrupted at another place, what reached the server until it ended. */
    private List<List<LoopbackServer.Received>> interrupted(Tool tool) {
        FaultyStore counted = FaultyStore.over(InMemoryStore.keepingEndedRuns());
        run(tool, counted);
        int appends = counted.count(FaultyStore.Operation.APPEND);
        List<List<LoopbackServer.Received>> all = new ArrayList<>();
        for (int append = 2; append <= appends; append++) {
            int before = api.server.log().size();
            InMemoryStore store = InMemoryStore.keepingEndedRuns();
            FaultyStore dying = FaultyStore.over(store);
            IntStream.range(append, append + 50).forEach(nth -> dying.failOn(FaultyStore.Operation.APPEND, nth));
            run(tool, dying);
            RunId id = store.list(RunFilter.ROOTS).getFirst().runId();
            try (TestRuntime test = runtime(tool, store)) {
                RunResult result = test.runtime().resume(id, o -> {}).result();
                assertThat(result.text()).isEqualTo("Done.");
            }
            all.add(api.server.log().subList(before, api.server.log().size()));
        }
        return all;
    }

    private static void run(Tool tool, Store store) {
        try (TestRuntime test = runtime(tool, store)) {
            test.agent("boss").generate("Go");
        } catch (RunFailedException e) {
            assertThat(e.code()).startsWith("store");
        }
    }

    private static TestRuntime runtime(Tool tool, Store store) {
        Script script = ScriptedModel.script();
        script.on("boss").answers(request -> answer(tool, request)).forever();
        return TestRuntime.builder(script)
                .store(store)
                .ids(IdSource.secure())
                .agents(Api.agent(tool))
                .build();
    }

    private static ModelResponse answer(Tool tool, ModelRequest request) {
        return request.messages().getLast().toolResults().isEmpty()
                ? new ModelResponse(
                        "",
                        "",
                        List.of(new ModelResponse.RequestedCall("c", tool.name(), "{}")),
                        FinishReason.TOOL_CALLS,
                        Usage.of(10, 5))
                : new ModelResponse("Done.", "", List.of(), FinishReason.STOP, Usage.of(10, 5));
    }

    @Test
    void whatOnlyReadsIsReadAgain() {
        api.it("get", "/orders", "");

        assertThat(interrupted(api.tool()))
                .anySatisfy(requests -> assertThat(requests).hasSize(2));
    }

    @Test
    void whatHasAnEffectIsNeverSentTwice() {
        api.it("post", "/orders", "");

        assertThat(interrupted(api.tool(KEY))).isNotEmpty().allSatisfy(requests -> assertThat(requests)
                .hasSizeLessThanOrEqualTo(1));
    }

    @Test
    void whatTheFileAllowsToBeRepeatedIsSentAgainWithTheSameKey() {
        api.it("post", "/orders", "");

        assertThat(interrupted(api.tool(KEY + "repeatable: true"))).anySatisfy(requests -> {
            assertThat(requests).hasSize(2);
            assertThat(requests.get(0).header("Idempotency-Key"))
                    .isEqualTo(requests.get(1).header("Idempotency-Key"))
                    .hasSize(1);
        });
    }
}
