/** Harnesses that try to break the libraries: one command each, and a sample of each in the build. */
@NullMarked
package dev.chargehand.verify;

import org.jspecify.annotations.NullMarked;
