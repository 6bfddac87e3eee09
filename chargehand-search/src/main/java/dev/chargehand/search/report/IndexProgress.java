package dev.chargehand.search.report;

/**
 * The progress of a folder scan.
 *
 * @param files how many files there are to look at
 * @param done how many of them have been looked at
 * @param read how many of those were read, because they were new or had changed or nothing was known of them
 * @param skipped how many of those have been left out, whole or in part
 * @param beyond how many files are not searched, because they come after a limit of the search; known at the end
 * @param ended whether this is the end: the index can be searched
 */
public record IndexProgress(int files, int done, int read, int skipped, int beyond, boolean ended) {

    /** How many of the files that have been looked at need not be read again. */
    public int unchanged() {
        return done - read;
    }
}
