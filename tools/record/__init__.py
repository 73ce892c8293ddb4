"""The record of what a program's processes compile: lines of JSON, written when each thing happens, and read again."""
