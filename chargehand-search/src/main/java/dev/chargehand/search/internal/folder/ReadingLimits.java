package dev.chargehand.search.internal.folder;

/**
 * How much is indexed.
 *
 * @param fileBytes of one file
 * @param files the most files
 * @param totalBytes after which no further file is read
 * @param documentBytes of one document that cannot be read in part
 */
public record ReadingLimits(int fileBytes, int files, long totalBytes, int documentBytes) {}
