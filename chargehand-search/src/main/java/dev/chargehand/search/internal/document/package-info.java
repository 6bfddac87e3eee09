/** Reads documents, such as PDF and office files, as blocks of text, in a process of its own. */
@NullMarked
package dev.chargehand.search.internal.document;

import org.jspecify.annotations.NullMarked;
