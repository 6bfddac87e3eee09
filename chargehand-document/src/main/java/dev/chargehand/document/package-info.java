/** Reads YAML and JSON documents with the position of every value, so that a mistake can be pointed at. */
@NullMarked
package dev.chargehand.document;

import org.jspecify.annotations.NullMarked;
