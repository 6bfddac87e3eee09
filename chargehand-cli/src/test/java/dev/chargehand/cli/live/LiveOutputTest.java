package dev.chargehand.cli.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.RunOptions;
import dev.chargehand.RunResult;
import dev.chargehand.approval.ApprovalAnswer;
import dev.chargehand.approval.Approver;
import dev.chargehand.cli.output.Summary;
import dev.chargehand.error.ModelException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.run.Prices;
import dev.chargehand.run.RunStatus;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.tool.Tool;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A run with four agents at once, a retry and an approval, on terminals of several widths. */
class LiveOutputTest {

    record Page(String name) {}

    private static final List<String> WORKERS = List.of("reader", "searcher", "critic", "publisher");

    private static final Prices PRICES =
            Prices.NONE.with("scripted/lead", new BigDecimal("1000"), new BigDecimal("2000"));

    static Stream<Arguments> terminals() {
        return Stream.of(60, 100, 200)
                .flatMap(columns -> Stream.of(true, false).map(rich -> Arguments.of(columns, rich)));
    }

    private static Agent lead() {
        List<Agent> workers = new ArrayList<>();
        for (String id : WORKERS) {
            workers.add(Agent.builder(id)
                    .description("Works.")
                    .model("none/none")
                    .tools(Tool.of("publish", "Publishes.", Page.class, (in, context) -> "published " + in.name())
                            .requiringApproval())
                    .build());
        }
        return Agent.builder("lead")
                .model("none/none")
                .agents(workers.toArray(Agent[]::new))
                .build();
    }

    private static Script script(CountDownLatch allAtWork) {
        Script script = ScriptedModel.script();
        script.on("lead").delegates("reader", "Read the long page about delegation and say what it means");
        WORKERS.stream().skip(1).forEach(id -> script.and().delegates(id, "Do your part"));
        script.then().streams("# Done\n\n", "All *four* ", "have worked, see [docs/concepts.md:30].");
        script.on("reader").waitsFor(allAtWork).and().says("Read it");
        script.on("searcher")
                .waitsFor(allAtWork)
                .and()
                .failsWith(new ModelException(ModelException.Kind.OVERLOADED, "Busy", null))
                .then()
                .says("Found it");
        script.on("critic").waitsFor(allAtWork).and().says("Fine");
        script.on("publisher")
                .waitsFor(allAtWork)
                .and()
                .calls("publish", Map.of("name", "page"))
                .then()
                .says("Published");
        return script;
    }

    private record Shown(Emulated terminal, RunResult result, List<List<String>> boards) {}

    /** Shows a run until it waits, approves, and shows it until it ends. */
    private static Shown show(int columns, Look look) {
        Emulated terminal = new Emulated(columns, 60);
        List<List<String>> boards = new ArrayList<>();
        CountDownLatch allAtWork = new CountDownLatch(WORKERS.size());
        try (TestRuntime test = TestRuntime.builder(script(allAtWork))
                .manualClock()
                .agents(lead())
                .build()) {
            InstantSource clock = () -> Instant.ofEpochMilli(test.clock().now().toEpochMilli());
            LiveOutput output = new LiveOutput(terminal.screen(), look, clock, 14, PRICES, Summary.OF_RUN);
            Consumer<RunOptions.Builder> shown =
                    o -> o.addListener(event -> show(test, event, output, terminal, boards, allAtWork));
            RunResult waiting = test.agent("lead").generate("Go", shown);
            assertThat(waiting.status()).isEqualTo(RunStatus.SUSPENDED);
            List<String> asked = terminal.shown();
            assertThat(asked.getLast()).doesNotContain("Ctrl-C");
            RunResult result = test.runtime()
                    .answer(waiting.pendingApprovals().getFirst(), ApprovalAnswer.approve(Approver.of("ann")), shown)
                    .result();
            output.ended(result);
            return new Shown(terminal, result, boards);
        }
    }

    private static void show(
            TestRuntime test,
            RunEvent event,
            LiveOutput output,
            Emulated terminal,
            List<List<String>> boards,
            CountDownLatch allAtWork) {
        output.event(event);
        boards.add(terminal.shown());
        if (event instanceof RunEvent.RunStart start && start.parentRunId() != null) {
            allAtWork.countDown();
        }
        if (event instanceof RunEvent.StepRetry retry) {
            output.note("indexing the documents: 4,200 of 12,000 files, 0 unchanged, 3 left out");
            test.clock().advance(retry.delay());
        }
    }

    @ParameterizedTest
    @MethodSource("terminals")
    void everyFrameIsWholeAtEveryWidthWithAndWithoutColour(int columns, boolean rich) {
        Shown shown = show(columns, new Look(rich, rich));
        assertThat(shown.result().status()).isEqualTo(RunStatus.COMPLETED);
        String all = String.join("\n", shown.terminal().shown());
        assertThat(all)
                .contains(
                        "delegates to reader",
                        "publisher completed",
                        "ann approved publish",
                        "failed (model-overloaded)",
                        "indexing the documents: 4,200 of 12,000")
                .contains("Done", "All four have worked, see [docs/concepts.md:30].", "completed in")
                .doesNotContain("Ctrl-C", "#", "*");
        for (List<String> frame : shown.terminal().frames()) {
            assertThat(frame).allSatisfy(line -> assertThat(line.length()).isLessThan(columns));
            assertThat(frame.stream().filter(line -> line.contains("Ctrl-C")).count())
                    .as("boards in %s", frame)
                    .isLessThanOrEqualTo(1);
        }
        assertThat(shown.terminal().written().matches("(?s).*\u001b\\[[0-9;]*m.*"))
                .isEqualTo(rich);
        assertThat(shown.terminal().written().chars().allMatch(c -> c < 128)).isEqualTo(!rich);
    }

    @Test
    void theBoardShowsEveryAgentThatIsAtWork() {
        List<List<String>> boards = show(120, new Look(false, true)).boards();
        assertThat(boards).anySatisfy(frame -> assertThat(String.join("\n", frame))
                .contains("○ lead")
                .contains("waits for reader, searcher, critic, publisher")
                .contains("─ ● reader", "─ ● searcher", "─ ● critic", "─ ● publisher")
                .contains("in + ", "cost "));
        assertThat(boards)
                .anySatisfy(frame -> assertThat(String.join("\n", frame)).contains("tries again in"));
        assertThat(boards)
                .anySatisfy(frame -> assertThat(String.join("\n", frame)).contains("waits for approval: publish"));
    }

    @Test
    void whatWasShownStaysInItsOrder() {
        List<String> lines = show(200, new Look(false, false)).terminal().shown();
        assertThat(lines).filteredOn(line -> line.contains("publish")).hasSizeGreaterThan(3);
        assertThat(String.join("\n", lines).indexOf("delegates to reader"))
                .isLessThan(String.join("\n", lines).indexOf("ann approved"));
    }

    @Test
    void anObjectIsShownAsJsonAndNotAsMarkdown() {
        record City(String city, List<String> sights) {}
        Emulated terminal = new Emulated(60, 20);
        Script script = ScriptedModel.script();
        script.on("clerk").says("{\"sights\":[\"*Dom*\"],\"city\":\"Köln\"}");
        Agent clerk = Agent.builder("clerk").model("none/none").build();
        try (TestRuntime test = TestRuntime.builder(script).agents(clerk).build()) {
            LiveOutput output = new LiveOutput(
                    terminal.screen(), new Look(false, true), InstantSource.system(), 14, PRICES, Summary.OF_RUN);

            output.ended(test.agent("clerk").generate("Where?", options -> options.structuredOutput(City.class)));
        }
        assertThat(terminal.shown())
                .containsSubsequence("{", "  \"city\": \"Köln\",", "  \"sights\": [", "    \"*Dom*\"", "  ]", "}");
    }
}
