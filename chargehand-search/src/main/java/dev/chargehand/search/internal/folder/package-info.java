/** Follows the files of a folder and keeps their index current. */
@NullMarked
package dev.chargehand.search.internal.folder;

import org.jspecify.annotations.NullMarked;
