package dev.chargehand.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.json.Json;
import dev.chargehand.tool.Tool;
import dev.chargehand.tool.ToolFailureException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SearchToolTest {

    @TempDir
    Path folder;

    @AutoClose
    FileSearch search;

    Tool tool;

    @BeforeEach
    void setUp() {
        search = new Documents(folder)
                .with("a.md", "# H\n\n" + "An apple.\n\n".repeat(30))
                .open();
        tool = search.tool();
    }

    private Json call(String arguments) throws Exception {
        return Json.of(tool.handler().handle(Json.parse(arguments), null));
    }

    @Test
    void itIsNamedSearchFilesAndMayBeRepeated() {
        assertThat(tool.name()).isEqualTo("search-files");
        assertThat(tool.repeatable()).isTrue();
        assertThat(tool.description()).contains("'docs'");
    }

    @Test
    void theQueryIsNeededAndTheLimitIsNot() {
        assertThat(tool.input().violations(Json.parse("{\"query\":\"x\"}"))).isEmpty();
        assertThat(tool.input().violations(Json.parse("{\"query\":\"x\",\"limit\":3}")))
                .isEmpty();
        assertThat(tool.input().violations(Json.parse("{\"limit\":3}"))).isNotEmpty();
        assertThat(tool.input().violations(Json.parse("{\"query\":\"x\",\"limit\":\"3\"}")))
                .isNotEmpty();
    }

    @Test
    void theResultListsPassagesWithTheirSources() throws Exception {
        Json result = call("{\"query\":\"apples\",\"limit\":1}");

        assertThat(result.at("/passages").orElseThrow().text())
                .matches(
                        "\\[\\{\"source\":\"docs/a.md:3\",\"heading\":\"H\",\"text\":\"An apple.\",\"sure\":0\\.\\d{1,2}}]");
        assertThat(result.at("/note")).isPresent();
    }

    @Test
    void fivePassagesUnlessAskedOtherwise() throws Exception {
        assertThat(call("{\"query\":\"apple\"}").at("/passages/4")).isPresent();
        assertThat(call("{\"query\":\"apple\"}").at("/passages/5")).isEmpty();
        assertThat(call("{\"query\":\"apple\",\"limit\":20}").at("/passages/19"))
                .isPresent();
    }

    @Test
    void nothingFoundIsAnEmptyListWithANote() throws Exception {
        Json result = call("{\"query\":\"zebra\"}");

        assertThat(result.at("/passages").orElseThrow().text()).isEqualTo("[]");
        assertThat(result.at("/note").flatMap(Json::string).orElseThrow()).contains("Nothing found");
    }

    @Test
    void whatCannotBeAnsweredSaysWhatToDo() {
        assertThatThrownBy(() -> call("{\"query\":\"apple\",\"limit\":21}"))
                .isInstanceOf(ToolFailureException.class)
                .hasMessageContaining("1 to 20");
        assertThatThrownBy(() -> call("{\"query\":\"apple\",\"limit\":0}")).isInstanceOf(ToolFailureException.class);
        assertThatThrownBy(() -> call("{\"query\":\" \"}"))
                .isInstanceOf(ToolFailureException.class)
                .hasMessageContaining("empty");
    }

    @Test
    void afterItsSearchIsClosedItSaysSo() {
        search.close();

        assertThatThrownBy(() -> call("{\"query\":\"apple\"}"))
                .isInstanceOf(ToolFailureException.class)
                .hasMessageContaining("closed");
    }

    @Test
    void aFolderThatHasGoneIsNamedAsItIsShown() throws Exception {
        Path gone = Files.createDirectory(folder.resolve("gone"));
        try (FileSearch over = FileSearch.builder(gone).sourcePrefix("docs").build()) {
            Files.delete(gone);

            assertThatThrownBy(() -> over.tool().handler().handle(Json.parse("{\"query\":\"x\"}"), null))
                    .isInstanceOf(ToolFailureException.class)
                    .hasMessageContaining("'docs'")
                    .hasMessageNotContaining(folder.toString());
        }
    }
}
