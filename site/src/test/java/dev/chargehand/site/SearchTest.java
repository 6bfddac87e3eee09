package dev.chargehand.site;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the search finds, by the scripts that a reader's browser runs. */
class SearchTest {

    private static final String GUIDE = """
            # The guide

            How a supervisor delegates work.

            ## Delegation

            The supervisor waits.

            ## A run that waits

            Somebody approves the call, of a delegation too, and the run goes on today; the approval expires; `journal.commit()`.

            ## Notes

            Delegation, delegation, delegation.

            ## Options

            | option | what |
            |---|---|
            | `maxSteps(int)` | the most steps |
            | `onDelegationStart` | asked before work is handed on; maxSteps can be lowered |
            """;

    private static Script search;

    @BeforeAll
    static void makeSite(@TempDir Path folder) throws IOException {
        Documents documents = Documents.in(folder).with("docs/guide.md", GUIDE);
        assertThat(documents.make()).isEmpty();
        search = Script.of(documents);
    }

    @ParameterizedTest
    @CsvSource({
        "delegation, guide.html#delegation",
        "DELEGATION, guide.html#delegation",
        "deleg, guide.html#delegation",
        "delegaton, guide.html#delegation",
        "maxSteps, guide.html#options",
        "maxSteps(int), guide.html#options",
        "ondelegationstart, guide.html#options",
        "approval expires, guide.html#a-run-that-waits",
        "how does the approval expire?, guide.html#a-run-that-waits",
        "commit, guide.html#a-run-that-waits",
        "delegation somebody, guide.html#a-run-that-waits",
        "who approves, guide.html#a-run-that-waits"
    })
    void theBestPlaceComesFirst(String query, String place) {
        assertThat(search.find(query)).first().isEqualTo(place);
    }

    @Test
    void whoHasMoreOfTheWordsIsFirst() {
        assertThat(search.find("waits call"))
                .startsWith("guide.html#a-run-that-waits")
                .contains("guide.html#delegation");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "   ", "***", "<>\"'&", "xylophone", "to xylophone", "+-~^:1"})
    void whatIsNowhereIsNotFound(String query) {
        assertThat(search.find(query)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"__proto__", "constructor", "-delegation", "delegation~1 +page:x", "a*", "\\"})
    void whatAnotherSearchWouldTakeForACommandIsAWord(String query) {
        assertThat(search.find(query)).isNotNull();
    }

    @Test
    void anExcerptShowsTheWordsThatWereAskedFor() {
        String script = "siteSearch.excerpt('One two. The approval, <b>of a</b> call', 'approved call')"
                + ".map(part => part.asked ? '[' + part.text + ']' : part.text).join('')";
        assertThat(search.text(script)).isEqualTo("One two. The [approval], <b>of a</b> [call]");
    }

    @Test
    void anExcerptOfALongTextBeginsNearTheWord() {
        String script = "siteSearch.excerpt('word '.repeat(100) + 'needle ' + 'word '.repeat(100), 'needle')"
                + ".map(part => part.text).join('')";
        assertThat(search.text(script))
                .startsWith("… word")
                .contains("needle")
                .endsWith(" …")
                .hasSizeLessThan(200);
    }
}
