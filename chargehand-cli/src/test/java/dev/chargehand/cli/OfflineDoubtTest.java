package dev.chargehand.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where the stand-in quoted a wrong place first: it quotes the right one now, or says that it found none. */
class OfflineDoubtTest {

    private static final String OTHERS = """
            # Harbor

            The crane lifts boats on Mondays.

            ## Mooring

            A berth costs twelve euros for each night.

            ## Weather

            From wind force six on no boat leaves.
            """;

    @TempDir
    Path workingFolder;

    @TempDir
    Path folder;

    @BeforeEach
    void writeOthers() throws IOException {
        write("harbor.md", OTHERS);
    }

    private void write(String name, String text) throws IOException {
        Files.writeString(folder.resolve(name), text);
    }

    private String ask(String question) {
        return Ran.in(
                        workingFolder,
                        "run",
                        "--config",
                        Ran.PROJECT.resolve("chargehand.yaml").toString(),
                        "--docs",
                        folder.toString(),
                        question)
                .out();
    }

    /** A text without headings, in which every paragraph has the words. */
    @Test
    void wordsThatStandTogetherInManyParagraphsAreNotQuoted() throws Exception {
        write("terms.txt", """
                You may hand on a combined work, and you may sell it.

                Who hands on a combined work keeps this notice in each file of it.

                The rights in a combined work end when these terms are broken.
                """);

        assertThat(ask("What is a combined work?")).startsWith("Nothing was found");
    }

    /** Two documents have the two words, each about something else. */
    @Test
    void commonWordsThatMeetInSeveralFilesAreNotQuoted() throws Exception {
        write(
                "accounts.md",
                "# Accounts\n\nThe system has users. The one for nightly work is called fetcher on Fedora.\n");
        write("builds.md", "# Builds\n\nFor users of Fedora there is a package, which is built each night.\n");

        assertThat(ask("How many users does Fedora have?")).startsWith("Nothing was found");
    }

    @Test
    void aDescriptionIsNotQuotedBecauseItHasATitle() throws Exception {
        write("calls.yaml", """
                create:
                  title: To create a file system
                  description: makes a file system
                delete:
                  title: To delete a file system
                  description: removes a file system
                """);

        assertThat(ask("How do I rename a file system?")).startsWith("Nothing was found");
    }

    @Test
    void theSectionOfATextWithUnderlinedHeadingsIsQuotedAndNotTheSampleBeforeIt() throws Exception {
        write("settings.rst", """
                Settings
                ========

                Set several of them at once::

                  $ tool set max_requests 20
                  $ tool set default_size 8MB

                max_requests
                ------------

                The default is ten at a time. A slow line needs fewer.

                queue_size
                ----------

                The default is a thousand entries. A larger queue needs more memory.
                """);

        assertThat(ask("What is the default of max_requests?")).startsWith("The default is ten at a time. [");
    }
}
