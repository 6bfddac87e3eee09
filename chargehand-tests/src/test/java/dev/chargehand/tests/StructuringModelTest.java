package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.RunResult;
import dev.chargehand.RunStream;
import dev.chargehand.error.ModelException;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StructuredOutput;
import dev.chargehand.run.Usage;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.tests.Both.Ran;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** A run whose object another model makes of its answer. */
class StructuringModelTest extends AnalysisFixture {

    @Test
    void aStructuringModelMakesTheObjectOfTheText() {
        Ran ran = structuring(analysis().structuredBy(STRUCTURER), GOOD);
        assertThat(ran.result()).finished().hasText("In prose.");
        assertThat(ran.result().object(Analysis.class)).isEqualTo(ANALYSIS);
        assertThat(ran.script().requestsOf("solo"))
                .singleElement()
                .extracting(ModelRequest::output)
                .isNull();
        ModelRequest asked = ran.script().requestsOf("structurer").getFirst();
        assertThat(asked.output()).isEqualTo(JsonSchema.of(Analysis.class));
        assertThat(asked.messages().getLast().text()).contains("In prose.");
        assertThat(ran.result().usage()).isEqualTo(Usage.of(10, 5));
        assertThat(ran.result().usageByAgent()).containsEntry("structuring:", Usage.of(10, 5));
        assertThat(ran.result().messages()).hasSize(2);
    }

    @Test
    void aStructuringModelMendsItsObjectOnce() {
        Ran ran = structuring(analysis().structuredBy(STRUCTURER), BAD, GOOD);
        assertThat(ran.result().object(Analysis.class)).isEqualTo(ANALYSIS);
        assertThat(ran.script().requestsOf("structurer").getLast().messages()).hasSize(4);
        assertThat(structuring(analysis().structuredBy(STRUCTURER), BAD, BAD).failure())
                .hasMessageContaining("/points");
        assertThat(structuring(analysis().structuredBy(STRUCTURER).warn(), BAD, BAD)
                        .result())
                .finished()
                .hasText("In prose.");
    }

    private static Ran structuring(StructuredOutput wanted, String... said) {
        return Both.run(Crew.solo(), o -> o.structuredOutput(wanted), () -> {
            var script = Scripts.on("solo").says("In prose.");
            for (String text : said) {
                script.on("structurer").says(text);
            }
            return script;
        });
    }

    @Test
    void aStructuringModelThatFailsFailsAStrictRunAndNoOther() {
        Ran strict = failing(analysis().structuredBy(STRUCTURER));
        assertThat(strict.failure().code()).isEqualTo("model-authentication");
        Ran fallback = failing(analysis().structuredBy(STRUCTURER).fallback(ANALYSIS));
        assertThat(fallback.result()).finished();
        assertThat(fallback.result().object(Analysis.class)).isEqualTo(ANALYSIS);
    }

    private static Ran failing(StructuredOutput wanted) {
        return Both.run(
                Crew.solo(),
                o -> o.structuredOutput(wanted),
                Turns.saying("solo", "In prose."),
                Turns.of(
                        "structurer",
                        Turn.failsWith(new ModelException(ModelException.Kind.AUTHENTICATION, "No key.", null))));
    }

    @Test
    void aRunThatIsCancelledWhileItsAnswerIsMendedIsAborted() {
        RunResult result = cancelled(Scripts.on("solo").says(BAD).then(), "solo", analysis());
        assertThat(result).hasStatus(RunStatus.ABORTED).hasText(BAD).hasNoObject();
    }

    @Test
    void aRunThatIsCancelledWhileAnotherModelMakesItsObjectIsAborted() {
        RunResult result = cancelled(
                Scripts.of(Turns.saying("solo", "In prose."), Turns.of("structurer")),
                "structurer",
                analysis().structuredBy(STRUCTURER).fallback(ANALYSIS));
        assertThat(result).hasStatus(RunStatus.ABORTED).hasText("In prose.").hasNoObject();
    }

    /** Cancels a run when a model that then says nothing is asked. */
    private static RunResult cancelled(Script script, String model, StructuredOutput wanted) {
        AtomicReference<RunStream> stream = new AtomicReference<>();
        CountDownLatch begun = new CountDownLatch(1);
        script.waitsFor(begun).and().does(() -> stream.get().cancel()).and().hangs();
        try (TestRuntime test = TestRuntime.builder(script).agents(Crew.solo()).build();
                RunStream run = test.agent("solo").stream("Go", o -> o.structuredOutput(wanted))) {
            stream.set(run);
            begun.countDown();
            run.forEach(event -> {});
            assertThat(script.requestsOf(model)).isNotEmpty();
            return run.result();
        }
    }
}
