package dev.chargehand.search;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SuggestedQuestionTest {

    @TempDir
    Path folder;

    Documents docs;

    @BeforeEach
    void setUp() {
        docs = new Documents(folder);
    }

    private Optional<String> suggested() throws InterruptedException {
        try (FileSearch search = docs.open()) {
            return SuggestedQuestion.of(search);
        }
    }

    @Test
    void aKeyOfDataAndTheNameOfAColumnAreNotSuggested() throws Exception {
        docs.with("a.yaml", "dependencies:\n" + "  - dependencies of a kind that no other file has\n".repeat(10))
                .with(
                        "b.json",
                        "{\n  \"scripts\": {\n" + "    \"build\": \"scripts in a row\",\n".repeat(20) + "  }\n}\n")
                .with("c.yml", "replicas:\n" + "  - replicas of a kind that no other file has\n".repeat(10))
                .with("d.csv", "Customer\nA customer.\n")
                .with("e.tsv", "Orders\nTwo orders.\n");
        assertThat(suggested()).isEmpty();

        docs.with("z.md", "# Boats\n\nA boat floats.\n");
        assertThat(suggested()).contains("What is in the documents about Boats?");
    }

    @Test
    void aLargeFileOfDataBeforeTheDocumentsDoesNotMatter() throws Exception {
        docs.with("a.yaml", "parts:\n" + "  - a part of the stock, which is kept in the second store\n".repeat(3_000))
                .with("z.md", "# Boats\n\nA boat floats.\n");

        assertThat(suggested()).contains("What is in the documents about Boats?");
    }
}
