/** Starts, resumes and ends runs, nested ones included. */
@NullMarked
package dev.chargehand.internal.run;

import org.jspecify.annotations.NullMarked;
