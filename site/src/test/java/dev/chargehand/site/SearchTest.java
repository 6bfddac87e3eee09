package dev.chargehand.site;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** The search of the site, in the index that a reader's browser loads: guides come before decisions. */
@EnabledIf("dev.chargehand.site.Programs#nodeExists")
class SearchTest {

    /** Queries and the page that is found first. */
    private static final List<List<String>> FIRST = List.of(
            List.of("getting started", "getting-started"),
            List.of("streaming", "embedding"),
            List.of("spring", "embedding"),
            List.of("human in the loop", "approval-inbox"),
            List.of("maven dependency", "getting-started"),
            List.of("delegation", "concepts"),
            List.of("DELEGATION", "concepts"),
            List.of("delegaton", "concepts"),
            List.of("error codes", "errors"),
            List.of("kill -9", "durability"),
            List.of("working memory", "memory"));

    /** Queries whose words are also in decisions, or look like parts of a program. */
    private static final List<String> RECORDED =
            List.of("approval", "journal", "a store in a database", "bail", "recovery", "constructor");

    private static final Map<String, List<String>> FOUND = new LinkedHashMap<>();

    @BeforeAll
    static void search() throws IOException {
        List<String> queries = Stream.concat(FIRST.stream().map(List::getFirst), RECORDED.stream())
                .toList();
        String[] arguments = Stream.concat(Stream.of(Programs.OUTPUT.toString()), queries.stream())
                .toArray(String[]::new);
        List<String> lines = Programs.with("find.mjs")
                .run(Programs.MODULE, Map.of(), "find.mjs", arguments)
                .orThrow();
        for (int place = 0; place < queries.size(); place++) {
            FOUND.put(queries.get(place), List.of(lines.get(place).split(" ")));
        }
    }

    @ParameterizedTest
    @FieldSource("FIRST")
    void theRightPageIsFirst(List<String> queryAndPage) {
        assertThat(FOUND.get(queryAndPage.getFirst()))
                .first()
                .asString()
                .startsWith("/docs/" + queryAndPage.getLast() + ".html");
    }

    @ParameterizedTest
    @FieldSource("RECORDED")
    void aGuideComesBeforeADecision(String query) {
        assertThat(FOUND.get(query)).first().asString().startsWith("/docs/").doesNotContain("/adr/");
    }
}
