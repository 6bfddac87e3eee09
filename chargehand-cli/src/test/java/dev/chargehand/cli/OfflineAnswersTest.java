package dev.chargehand.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Questions over folders as other people have them, and over our own documents: the stand-in quotes the passage that answers
 * first, or says that it found none.
 */
class OfflineAnswersTest {

    private static final Path FOLDERS = Path.of("src/test/resources/folders").toAbsolutePath();
    private static final Pattern CITATION = Pattern.compile("\\[([^\\[\\]\\n]+):(\\d+)]");

    @TempDir
    Path workingFolder;

    private Ran ask(Path folder, String question) {
        return Ran.in(
                workingFolder,
                "run",
                "--config",
                Ran.PROJECT.resolve("chargehand.yaml").toString(),
                "--docs",
                folder.toString(),
                question);
    }

    /** The last question of each folder cannot be answered from it; where others are not answered, no word leads there. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "service-handbook | How do I rotate a token? | guides/access.md | Rotating a token",
                "service-handbook | How can I undo a deployment? | none | ",
                "service-handbook | What happens if I send too many requests? | guides/access.md | Rate limits",
                "service-handbook | Which insurance covers lost parcels? | none | ",
                "recipes | How long do I bake the sourdough loaf? | bread/sourdough.md | Method",
                "recipes | What can I use instead of an egg? | basics/kitchen-notes.md | Replacing eggs",
                "recipes | Can the lentil soup go into the freezer? | soups/lentil-soup.md | Keeping it",
                "recipes | How do I roast a duck? | none | ",
                "travel-rules | When is business class paid? | travel-policy.md | By train and by air",
                "travel-rules | How much may a hotel cost per night? | travel-policy.md | Accommodation",
                "travel-rules | I lost a receipt, what do I have to do? | expenses.md | Receipts",
                "travel-rules | May I bring my dog to the office? | none | ",
                "label-printer | How do I clean the print head? | manual.md | Cleaning",
                "label-printer | How heavy is it? | specification.md | Specification",
                "label-printer | What does a blinking red lamp mean? | manual.md | Lights",
                "label-printer | Does it print photographs in colour? | none | ",
                "shop-backend | How do I run the tests of the database? | README.md | Tests",
                "shop-backend | How many days does a buyer have to withdraw from an order? | src/main/java/shop/order/OrderService.java | ",
                "shop-backend | How do I change a setting by an environment variable? | README.md | Configuration",
                "shop-backend | Which coupons are valid for newsletter subscribers? | none | "
            })
    void theFirstPassageIsTheRightOneOrThereIsNone(String folder, String question, String file, String heading)
            throws IOException {
        Ran ran = ask(FOLDERS.resolve(folder), question);

        if (file.equals("none")) {
            assertThat(ran.out()).startsWith("Nothing was found").doesNotContain("[" + folder);
            assertThat(ran.exitCode()).isEqualTo(5);
        } else {
            assertThat(ran.exitCode()).isZero();
            assertFirst(ran.out(), FOLDERS, folder + "/" + file, heading);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "How do I approve a tool call? | approval-inbox.md | An approval inbox: a human in the loop approves tool calls",
                "How do I stream an answer to a browser? | embedding.md | Streaming an answer to a browser",
                "How do I use it with Spring? | embedding.md | Spring",
                "What are the Maven coordinates? | getting-started.md | Install",
                "What happens after kill -9? | durability.md | Durability: what survives `kill -9`",
                "How do I give an agent memory? | memory.md | Memory",
                "How do I test an agent without a model? | testing.md | Testing agents",
                "How do I set the key of a provider? | providers.md | Providers",
                "How do I limit the budget of a run? | concepts.md | Limits and budgets",
                "How do I write a workflow with an approval? | workflows.md | "
            })
    void aQuestionAboutThisProjectIsAnsweredFromItsGuide(String question, String file, String heading)
            throws IOException {
        Ran ran = ask(Ran.PROJECT.resolve("docs"), question);

        assertThat(ran.exitCode()).isZero();
        assertFirst(ran.out(), Ran.PROJECT, "docs/" + file, heading);
    }

    private static void assertFirst(String answer, Path root, String file, String heading) throws IOException {
        Matcher citation = CITATION.matcher(answer);
        assertThat(citation.find()).as(answer).isTrue();
        assertThat(citation.group(1)).as(answer).isEqualTo(file);
        if (heading != null) {
            List<String> lines = Files.readAllLines(root.resolve(file));
            assertThat(headingOf(lines, Integer.parseInt(citation.group(2))))
                    .as(answer)
                    .isEqualTo(heading);
        }
    }

    private static String headingOf(List<String> lines, int line) {
        return lines.subList(0, line).reversed().stream()
                .filter(each -> each.matches("#{1,6} .*"))
                .findFirst()
                .map(each -> each.replaceFirst("#+ ", ""))
                .orElse("");
    }
}
