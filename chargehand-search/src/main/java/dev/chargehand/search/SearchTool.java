package dev.chargehand.search;

import dev.chargehand.error.ChargehandException;
import dev.chargehand.tool.Tool;
import dev.chargehand.tool.ToolFailureException;
import java.util.List;

/** Offers a {@link FileSearch} to models. */
final class SearchTool {

    private static final int DEFAULT_LIMIT = 5;

    private SearchTool() {}

    static Tool of(FileSearch search, String folder) {
        String where = folder.isEmpty() ? "the documents" : "the documents in '" + folder + "'";
        return Tool.builder(
                        "search-files",
                        "Searches " + where + " by words and returns the passages that fit best, each with its source,"
                                + " such as file:line. Cite a passage by its source.")
                .input(SearchInput.class)
                .repeatable()
                .handler((input, context) -> answer(search, input))
                .build();
    }

    private static SearchOutput answer(FileSearch search, SearchInput input) throws InterruptedException {
        int limit = input.limit() == null ? DEFAULT_LIMIT : input.limit();
        if (limit < 1 || limit > FileSearch.MOST_PASSAGES) {
            throw new ToolFailureException("The limit must be 1 to " + FileSearch.MOST_PASSAGES + ", but is " + limit
                    + ". Call again with such a limit.");
        }
        if (input.query().isBlank()) {
            throw new ToolFailureException("The query is empty. Call again with a few words to look for.");
        }
        List<FittingPassage> passages;
        try {
            passages = search.fitting(input.query(), limit);
        } catch (ChargehandException e) {
            throw new ToolFailureException(e.getMessage());
        }
        return new SearchOutput(
                passages,
                passages.isEmpty()
                        ? "Nothing found. Try fewer or other words; only whole words are found, in any inflection."
                        : "Cite a passage by its source.");
    }
}
