// Remainders trap too; a guarded one does not.
// covet: cover % --function bucket
unsigned bucket(unsigned hash, unsigned char size, unsigned char other)
{
    if (other != 0 && hash % other == 3)
        return 1;
    return hash % (unsigned char)(size + 7);
}
