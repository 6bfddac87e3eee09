/** Measurements of stores and of the index of documents, which are on a disk. */
@NullMarked
package dev.chargehand.bench.disk;

import org.jspecify.annotations.NullMarked;
