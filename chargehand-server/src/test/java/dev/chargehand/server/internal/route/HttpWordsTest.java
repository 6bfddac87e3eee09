package dev.chargehand.server.internal.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.error.ConfigurationException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a runtime says to callers in Java is said to callers over HTTP in the words of requests. */
class HttpWordsTest {

    private static String read(String message) {
        return HttpWords.of(new ConfigurationException(message));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            Call c of run r (ask) asks for data: give them with giveData(...), or decline it. | Call c of run r (ask) asks for data: answer with data, or decline it.
            Step 2 of run r is an answer that nothing follows on: say more with addMessage("..."), or fork after step 0 to 1. | Step 2 of run r is an answer that nothing follows on: say more with the field 'message', or fork after step 0 to 1.
            A fork after step 3 of run r has no step left, since its maxSteps is 3 and counts the copied steps: raise it with options(o -> o.maxSteps(...)). | A fork after step 3 of run r has no step left, since its maxSteps is 3 and counts the copied steps: raise it with the field 'maxSteps' of the options.
            Agent 'a' has no semantic recall, so that its messages cannot be searched; set it with memory(m -> m.semanticRecall(…)). | Agent 'a' has no semantic recall, so that its messages cannot be searched.
            Agent 'a' may delegate in the background, and its run has no thread that could receive the results; add .thread("...") to the options of the call. | Agent 'a' may delegate in the background, and its run has no thread that could receive the results; name a thread.
            Workflow 'w': the initial state breaks the schema of the state: must be a text. Set one that fits with state(type, initial). | Workflow 'w': the initial state breaks the schema of the state: must be a text.
            Agent 'a': the budget bounds the cost, but m/n has no price, so that calls would count as zero. Add each price for a million tokens to the option 'prices', such as o.prices(prices.with("m/n", input, output)) or, in an agents' file, prices: { m/n: { input: 1.25, output: 10 } }; prices of 0 are for models that cost nothing. | Agent 'a': the budget bounds the cost, but m/n has no price, so that calls would count as zero. Add each price for a million tokens to the option 'prices'.
            Agent 'a': what would lack it: x. Set them as default options of the agent, store values of the request instead of transient ones, or set onEnd(OnEnd.WAIT) for the call. | Agent 'a': what would lack it: x.
            Use InMemoryStore.keepingEndedRuns() or a store in a database. | The request asks for something that is not possible here.
            Run r is of a workflow, which is forked before an entry: fork(runId, f -> f.before("...")). It has two. | Run r is of a workflow, which is forked before an entry. It has two.
            """)
    void adviceOfJavaIsThatOfRequests(String java, String http) {
        assertThat(read(java)).isEqualTo(http);
    }

    @Test
    void whatNamesNoJavaIsKept() {
        assertThat(List.of(
                        "The title of a thread has at most 1,000 characters, but this one has 1,001.",
                        "Agent 'a' has neither a tool 'b(...)' nor one named 'List.of'.",
                        "A version is {\"versionId\": \"...\"}, {\"status\": \"published\"} or {\"status\": \"latest\"}.",
                        "Call c of run r (ask) asks for approval, not for data: approve or decline it.",
                        "The limits (of tokens, cost and calls) are e.g. 3.5, i.e. more than 0."))
                .allSatisfy(text -> assertThat(read(text)).isEqualTo(text));
    }

    @Test
    void noOtherPartOfTheServerReadsWhatIsSaidInJava() throws IOException {
        try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
            List<String> readers = files.filter(Files::isRegularFile)
                    .filter(file -> text(file).contains("publicMessage()"))
                    .map(file -> file.getFileName().toString())
                    .toList();
            assertThat(readers).containsExactly("HttpWords.java");
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
