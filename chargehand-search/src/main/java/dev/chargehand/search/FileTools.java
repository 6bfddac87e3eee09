package dev.chargehand.search;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.json.Description;
import dev.chargehand.search.internal.document.DocumentText;
import dev.chargehand.search.internal.document.UnreadableDocumentException;
import dev.chargehand.search.internal.folder.FolderBrowser;
import dev.chargehand.search.internal.folder.FolderBrowser.Entry;
import dev.chargehand.tool.Tool;
import dev.chargehand.tool.ToolFailureException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Offers the files of a {@link FileSearch} to models: their names, and their texts. */
final class FileTools {

    private static final int MOST_FILES = 200;
    private static final int LINES = 200;
    private static final int MOST_LINES = 1_000;
    private static final int MOST_CHARACTERS = 20_000;

    private final FolderBrowser browser;
    private final String where;

    record ListInput(
            @Description("List only the files of this folder and of the folders in it; all if not given") @Nullable
            String folder,

            @Description("List the files that come after this one, to continue a list that was too long") @Nullable
            String after) {}

    record ListOutput(List<Entry> files, String note) {}

    record ReadInput(
            @Description("The file, by its name in list-files, or the source of a passage of search-files")
            String file,

            @Description("The first line, from 1; if not given, the line of the source, or 1") @Nullable
            Integer from,

            @Description("How many lines, 1 to 1000; 200 if not given") @Nullable
            Integer lines) {}

    /**
     * The result of {@code read-file}.
     *
     * @param source the source of the first line
     */
    record ReadOutput(String source, String text, String note) {}

    FileTools(FolderBrowser browser, String folder) {
        this.browser = browser;
        this.where = folder.isEmpty() ? "the documents" : "the documents in '" + folder + "'";
    }

    Tool list() {
        return Tool.builder("list-files", "Lists the files of " + where + " with their sizes.")
                .input(ListInput.class)
                .repeatable()
                .handler((input, context) -> list(input))
                .build();
    }

    Tool read() {
        return Tool.builder("read-file", "Reads lines of one of " + where + ", also of a PDF or an office file.")
                .input(ReadInput.class)
                .repeatable()
                .handler((input, context) -> read(input))
                .build();
    }

    private ListOutput list(ListInput input) {
        String folder = Optional.ofNullable(input.folder()).orElse("");
        String start = folder.isEmpty() || folder.endsWith("/") ? folder : folder + "/";
        String after = Optional.ofNullable(input.after()).orElse("");
        List<Entry> all = entries().stream()
                .filter(entry -> entry.file().startsWith(start))
                .toList();
        List<Entry> rest = all.stream()
                .dropWhile(entry -> entry.file().compareTo(after) <= 0)
                .toList();
        List<Entry> shown = rest.subList(0, Math.min(MOST_FILES, rest.size()));
        return new ListOutput(shown, note(folder, all.size(), rest.size()));
    }

    private static String note(String folder, int all, int rest) {
        if (all == 0) {
            return folder.isEmpty()
                    ? "There are no files."
                    : "There are no files in '" + folder + "'. Call again without a folder.";
        }
        return rest <= MOST_FILES
                ? all + " files."
                : all + " files, of which " + MOST_FILES + " are listed. Call again with the last one in 'after'.";
    }

    private List<Entry> entries() {
        try {
            return browser.list().stream()
                    .sorted((one, another) -> one.file().compareTo(another.file()))
                    .toList();
        } catch (ConfigurationException e) {
            throw new ToolFailureException(e.getMessage());
        }
    }

    private ReadOutput read(ReadInput input) throws InterruptedException {
        int lines = input.lines() == null ? LINES : input.lines();
        if (lines < 1 || lines > MOST_LINES) {
            throw new ToolFailureException(
                    "'lines' must be 1 to " + MOST_LINES + ", but is " + lines + ". Call again with such a number.");
        }
        String file = input.file();
        String place = "";
        Optional<DocumentText> text = text(file);
        int colon = file.lastIndexOf(':');
        if (text.isEmpty() && colon > 0) {
            place = file.substring(colon + 1);
            file = file.substring(0, colon);
            text = text(file);
        }
        if (text.isEmpty()) {
            throw new ToolFailureException("There is no file '" + input.file()
                    + "' among the documents. Call list-files for the names of the files.");
        }
        return page(file, text.get(), first(input, text.get(), place), lines);
    }

    private Optional<DocumentText> text(String file) throws InterruptedException {
        try {
            return browser.read(file);
        } catch (UnreadableDocumentException e) {
            throw new ToolFailureException("The file '" + file + "' " + e.getMessage() + ".");
        } catch (ConfigurationException e) {
            throw new ToolFailureException(e.getMessage());
        } catch (IOException e) {
            throw new ToolFailureException("The file '" + file + "' cannot be read ("
                    + e.getClass().getSimpleName() + "). Call list-files for the names of the files.");
        }
    }

    /** The index of the first line to read. */
    private static int first(ReadInput input, DocumentText text, String place) {
        int size = text.lines().size();
        if (input.from() != null) {
            if (input.from() < 1 || input.from() > Math.max(1, size)) {
                throw new ToolFailureException("'from' must be 1 to " + Math.max(1, size)
                        + ", the number of lines, but is " + input.from() + ".");
            }
            return input.from() - 1;
        }
        for (int line = 0; line < size; line++) {
            if (text.place(line).equals(place)) {
                return line;
            }
        }
        return 0;
    }

    private static ReadOutput page(String file, DocumentText text, int first, int most) {
        List<String> lines = text.lines();
        if (lines.isEmpty()) {
            return new ReadOutput(file, "", "The file has no text.");
        }
        int last = first;
        StringBuilder page = new StringBuilder(lines.get(first));
        while (last + 1 < lines.size()
                && last + 1 - first < most
                && page.length() + 1 + lines.get(last + 1).length() <= MOST_CHARACTERS) {
            page.append('\n').append(lines.get(++last));
        }
        String shown = page.length() <= MOST_CHARACTERS ? page.toString() : cut(page.toString());
        String note = "Lines " + (first + 1) + " to " + (last + 1) + " of " + lines.size() + "."
                + (shown.length() < page.length() ? " The line is longer than is shown." : "")
                + (last + 1 < lines.size() ? " Call again with from " + (last + 2) + " for more." : "")
                + (text.cut() && last + 1 == lines.size() ? " The file is longer, but no more of it can be read." : "");
        return new ReadOutput(file + ":" + text.place(first), shown, note);
    }

    private static String cut(String line) {
        int end = Character.isHighSurrogate(line.charAt(MOST_CHARACTERS - 1)) ? MOST_CHARACTERS - 1 : MOST_CHARACTERS;
        return line.substring(0, end);
    }
}
